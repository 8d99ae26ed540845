import type { ReadModels } from '#libs/documents/read-models.js';
import { CrewMembers } from '#libs/features/crews/views/crew-members.js';
import type { NextStep } from '#libs/features/jobs/views/next-step.shape.js';

/** Leaves room for other steps. */
const INVITATIONS_MAX = 3;

/** Only `next` shows invitations. Declining them makes room for older ones. */
export async function loadInvitations(models: ReadModels, museId: string): Promise<NextStep[]> {
  const newest = { index: 'byMuse', equals: [museId, false], order: 'desc', limit: INVITATIONS_MAX } as const;
  const invitations = await models.memoize(`invitations of ${museId}`, () => models.of(CrewMembers).find(newest));
  return invitations.map(({ body: { crew } }) => ({
    do: 'crew_join',
    why: 'A member of this crew has invited you. To decline, call `crew_leave`.',
    endpoint: '/api/crew_join',
    body: { crew },
  }));
}
