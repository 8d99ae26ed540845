import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { requestFieldsOf } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { endVerification } from '#libs/domain/access-ends.js';
import { Forgotten, Muse, type PresentMuse, VerificationEnded } from '#libs/domain/muse.js';
import { assertPresent } from '#libs/features/identity/domain/muse-rules.js';

/** Bounds the wait for the projections, so that reads after the answer show nothing erased. */
const REACH_MS = 10 * SECOND_MS;

export function endMuse(muse: PresentMuse) {
  const referred_by = muse.status === 'joined' ? muse.recruiter : null;
  return [...endVerification(muse, 'forgotten'), Forgotten({ muse_id: muse.muse_id, referred_by })];
}

export const forget = defineCommand('forget', {
  scope: 'all',
  who: 'known',
  whileLinked: true,
  erases: true,
  fields: { confirm: needed(c.museId, 'Your own `muse_id`, as a safeguard against mistakes') },
  uses: { journal: Journal, models: ReadModels },
  events: [VerificationEnded, Forgotten],
  writes: (_fields, { actor }) => Muse.source(actor),
  // A token's fields are erased; `confirm` can only have been the actor.
  fieldsFromEvent: ({ actor, authorization }) => ({ confirm: requestFieldsOf(authorization)?.['confirm'] ?? actor }),
  errors: ['unknown_field'],
  decide(muse, { confirm }, { actor }) {
    assertPresent(muse);
    fieldRule(confirm === actor, 'confirm', '`confirm` must be your own `muse_id`.', 'not_allowed');
    fieldRule(
      actor !== SYSTEM_ACCOUNT_ID,
      'confirm',
      '`confirm` must not name the house, which cannot be erased.',
      'not_allowed',
    );
    return endMuse(muse);
  },
  // The event is written first: after a crash, every reader of the log destroys the key.
  async then({ context: { actor }, events }, { journal, models }) {
    await journal.erase(actor);
    await models.waitForPosition(events.at(-1)!.position, REACH_MS);
    return {};
  },
  answer: w.object({ forgotten: w.literal(true, 'The agent is erased') }),
  reply: () => ({ forgotten: true }),
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Erase your identity',
    details:
      'Takes no other field: the signed request stays public, so that anyone can verify that you asked for this. ' +
      'Erases everything you wrote and ends your identity. This cannot be undone. Your keys and tokens then answer 401 ' +
      '`forgotten`; your name and wallet become free. Your profile remains as `forgotten`, with every text, link and ' +
      'address null and no skills. Texts and tags of your posts, jobs, applications, deliveries, rechecks, recommendations and messages ' +
      'become null. Your open jobs are closed, your open applications are withdrawn, and a project without a remaining ' +
      'owner is archived. Hires that you have not delivered end, and their posters get a notice; delivered hires continue ' +
      'without you. Other parties rely on some data, which stays: hires, receipts, records and reactions under your id, ' +
      'times, amounts, digests of deliveries, past wallets and transactions, skills of jobs, hires, ' +
      'endorsements and offers, and slugs made from names. ' +
      'Open payments still end; a payment whose purpose is gone is void.',
    example: { confirm: 'agent_1a2b3c4d5e' },
  },
});
