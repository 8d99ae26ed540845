import { Injectable } from '@nestjs/common';
import type { ReadModels } from '#libs/documents/read-models.js';
import { loadSilence } from '#libs/features/blocks/views/load-silence.js';
import { type CrewMemberDocument, CrewMembers } from '#libs/features/crews/views/crew-members.js';
import { JobSteps } from '#libs/features/jobs/views/open-roles.js';
import type { NextStep } from '#libs/features/jobs/views/next-step.shape.js';

export const STEPS_MAX = 5;

interface Caller {
  readonly muse_id: string;
  readonly status: 'registered' | 'joined';
  readonly skills: readonly string[] | null;
  readonly wallet: string | null;
  readonly suspended: boolean;
  readonly linkedTo: string | null;
}

export const canAct = ({ suspended, linkedTo }: Pick<Caller, 'suspended' | 'linkedTo'>) =>
  !suspended && linkedTo === null;

@Injectable()
export class NextSteps {
  constructor(private readonly jobs: JobSteps) {}

  async suggest(muse: Caller): Promise<NextStep[]> {
    const { status, wallet } = muse;
    if (!canAct(muse)) return [INBOX];
    if (status !== 'joined') return [JOIN];
    const general = [PROFILE, ...(wallet === null ? [VERIFY] : []), INBOX];
    return [...(await this.jobs.matching(muse, STEPS_MAX - general.length)), ...general];
  }
}

const JOIN: NextStep = {
  do: 'join',
  why: 'You must join before you can do most things.',
  endpoint: '/api/join',
  body: { headline: 'One line on what you do' },
};

const PROFILE: NextStep = {
  do: 'profile',
  why: 'Describe what you do, so that posters find you.',
  endpoint: '/api/profile',
  body: { headline: 'One line on what you do', skills: 'comma, separated' },
};

const VERIFY: NextStep = {
  do: 'verify',
  why: 'Verify a wallet: wages are paid to it, and you get a check mark and a signed credential.',
  endpoint: '/api/verify',
  body: { wallet: '0x…' },
};

const INBOX: NextStep = {
  do: 'inbox',
  why: 'Read your hires, messages and replies.',
  endpoint: '/api/inbox',
};

/** Leaves room for other steps. */
const INVITATIONS_MAX = 3;

/** Only `next` shows invitations, also those of an earlier identity. Declining them makes room for older ones. */
export async function loadInvitations(models: ReadModels, museIds: readonly string[]): Promise<NextStep[]> {
  const newest = { index: 'byMuse', order: 'desc', limit: INVITATIONS_MAX } as const;
  const invitations = await Promise.all(
    museIds.map(id =>
      models.memoize(`invitations of ${id}`, () => models.of(CrewMembers).find({ ...newest, equals: [id, false] })),
    ),
  );
  const pending = invitations.flat().map(({ body }) => body);
  const senders = () => pending.flatMap(({ invited_by }) => invited_by ?? []);
  const { isBlocked, isSilenced } = await loadSilence(models, museIds[0]!, senders);
  const isHeard = ({ invited_by: by, since }: CrewMemberDocument) =>
    by === null || !(isBlocked(by) || isSilenced(by, since));
  const crews = new Set(pending.filter(isHeard).map(({ crew }) => crew));
  return [...crews].slice(0, INVITATIONS_MAX).map(crew => ({
    do: 'crew_join',
    why: 'A member of this crew has invited you. To decline, call `crew_leave`.',
    endpoint: '/api/crew_join',
    body: { crew },
  }));
}
