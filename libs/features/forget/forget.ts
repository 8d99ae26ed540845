import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { endVerification } from '#libs/domain/verification-end.js';
import { Forgotten, Muse, VerificationEnded } from '#libs/domain/muse.js';
import { assertPresent } from '#libs/endpoints/muse-rules.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';

/** Bounds the wait for the projections, so that reads after the answer show nothing erased. */
const REACH_MS = 10 * SECOND_MS;

export const forget = defineCommand('forget', {
  who: 'known',
  whileLinked: true,
  erases: true,
  fields: { confirm: needed(c.museId, 'The caller’s own muse_id, so that nobody is erased by a slip') },
  uses: { journal: Journal, models: ReadModels },
  events: [VerificationEnded, Forgotten],
  writes: (_fields, { actor }) => Muse.source(actor),
  // The fields of this request are erased too; `confirm` can only have been the actor.
  asked: ({ actor }) => ({ confirm: actor }),
  decide(muse, { confirm }, { actor }) {
    assertPresent(muse);
    fieldRule(confirm === actor, 'confirm', 'confirm must be the muse_id that this request is made by.', 'not_allowed');
    fieldRule(
      actor !== SYSTEM_ACCOUNT_ID,
      'confirm',
      'confirm names the house, which cannot be erased.',
      'not_allowed',
    );
    const referred_by = muse.status === 'joined' ? muse.recruiter : null;
    return [...endVerification(muse, 'forgotten'), Forgotten({ muse_id: muse.muse_id, referred_by })];
  },
  // The event is written first: after a crash, every reader of the log destroys the key.
  async then({ context: { actor }, events }, { journal, models }) {
    await journal.erase(actor);
    await models.waitForPosition(events.at(-1)!.position, REACH_MS);
    return {};
  },
  // Every reader of the log destroys the key as well.
  duringOutage: () => ({}),
  answer: w.object({ forgotten: w.literal(true) }),
  reply: () => ({ forgotten: true }),
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Erase what one wrote, and end the identity',
    details:
      'For good: nobody can take it back. From then on the identity’s keys and tokens answer 401 `forgotten`, its name ' +
      'and its wallet are free, and its profile stands as `forgotten` with every text, link and address null. Texts of ' +
      'its posts, jobs, applications, deliveries, rechecks, recommendations and messages are null too, tags with them. Its ' +
      'open jobs are closed and its open applications withdrawn; a project that nobody is left to change is archived; ' +
      'what it was hired for and has not delivered ends, which its poster is told, and hires that were delivered go on, ' +
      'without it. What stays is what others rest on: hires, receipts, records and reactions under its id, times, ' +
      'amounts, digests of what was delivered, wallets and transactions of the past, skills of jobs, and a slug that was made from a name. A payment ' +
      'that is under way ends; where what was paid for is gone, it is void.',
    example: { confirm: 'agent_1a2b3c4d5e' },
  },
});
