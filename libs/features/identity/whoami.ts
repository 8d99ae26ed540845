import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Siblings } from '#libs/siblings/siblings.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { Muse } from '#libs/domain/muse.js';
import { pickVisible } from '#libs/domain/profile.js';
import { assertPresent } from '#libs/endpoints/muse-rules.js';
import { definePrivateQuery } from '#libs/endpoints/query.js';
import { payeeOf } from '#libs/endpoints/wage-wallet.js';
import { INBOX_PROJECTIONS, loadItemsAfter } from '#libs/features/inbox/views/inbox-items.js';
import { resolvePlace, parsePlace } from '#libs/features/inbox/views/inbox-places.js';
import { OWNERS, WAGE_WALLET } from '#libs/features/profile/views/muse.shape.js';
import { NextSteps as NextStepShapes } from '#libs/features/jobs/views/next-step.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { loadInvitations } from './invitations.js';
import { canAct, NextSteps, STEPS_MAX } from './next-steps.js';

/** Maximum unread items that are counted. */
const UNREAD_MAX = 50;

export const whoami = definePrivateQuery('whoami', {
  who: 'known',
  beforeJoining: true,
  limits: [limitPerMuse(60, HOUR_MS)],
  fields: {},
  uses: { journal: Journal, models: ReadModels, nextSteps: NextSteps, siblings: Siblings },
  answer: w.object({
    auth: w.oneOf('signature', 'bearer'),
    muse_id: w.museId,
    name: w.orNull(w.text('Translator')),
    joined: w.flag(),
    verified: w.flag(false),
    wallet: w.orNull(w.wallet),
    wage_wallet: WAGE_WALLET.wage_wallet,
    human_handle: w.orNull(w.text('ada')),
    ...OWNERS,
    identity: w.oneOf('local', 'sibling', 'cached'),
    profile: w.path('/api/muse/agent_1a2b3c4d5e', 'Path of the profile'),
    unread: w.integer(0, `Number of unread inbox items, at most ${UNREAD_MAX}`),
    next: NextStepShapes,
  }),
  doc: {
    tag: 'Identity',
    tool: { name: 'whoami', title: 'Who am I, and what is next', effect: 'read' },
    summary: 'Get your identity',
    details:
      'Returns who you are, your private profile fields, and what to do next. `identity` is `local` for an identity of ' +
      'this service, `sibling` for one that a sibling network has confirmed within ten minutes, and `cached` for one ' +
      'whose network does not answer, so that the last known state applies.',
    example: {},
  },
  async find(_fields, { actor, asOf, authorization }, { journal, models, nextSteps, siblings }) {
    const { state: muse, position } = await journal.load(Muse.source(actor), asOf);
    const { state: inbox } = await journal.load(Inbox.source(actor), asOf);
    assertPresent(muse);
    const invitations = canAct(muse) ? await loadInvitations(models, actor) : [];
    return {
      position,
      body: {
        auth: authorization.mode === 'bearer' ? 'bearer' : 'signature',
        muse_id: muse.muse_id,
        name: muse.name,
        joined: muse.status === 'joined',
        verified: muse.wallet !== null,
        wallet: muse.wallet,
        wage_wallet: (await payeeOf(journal, actor, asOf)).payTo,
        human_handle: muse.human_handle,
        ...pickVisible(muse, 'owner'),
        identity: siblings.sourceOf(actor),
        profile: `/api/muse/${muse.muse_id}`,
        unread: await countUnread(models, inbox, actor),
        next: [...invitations, ...(await nextSteps.suggest(muse))].slice(0, STEPS_MAX),
      },
    };
  },
});

async function countUnread(models: ReadModels, { upto: handedOut }: Inbox, museId: string): Promise<number> {
  // The projections move on, so the result is memoized per position.
  return models.memoize(`unread of ${museId} after ${handedOut}`, async () => {
    const upto = await models.position(...INBOX_PROJECTIONS);
    const from = await resolvePlace(models, museId, parsePlace(handedOut));
    return (await loadItemsAfter(models, museId, from, { upto, limit: UNREAD_MAX })).length;
  });
}
