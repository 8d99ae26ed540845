import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { listLinkSubjects } from '#libs/claims/claim-streams.js';
import { Claims } from '#libs/claims/claims.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { Siblings } from '#libs/siblings/siblings.js';
import { endVerification, revokeAllTokens } from '#libs/domain/access-ends.js';
import { isEventOf } from '#libs/domain/define.js';
import {
  isKnownMuse,
  isPresentMuse,
  type KnownMuse,
  Linked,
  Muse,
  TokenRevoked,
  VerificationEnded,
} from '#libs/domain/muse.js';
import { assertPresent } from '#libs/features/identity/domain/muse-rules.js';
import { assertProof } from '#libs/features/identity/public.js';
import { CompleteLink } from './complete-link.js';
import { assertAudit, ANY_TEXT } from '#libs/endpoints/decision.js';
import { assertNoOpenEscrow, findOpenEscrows } from './open-escrows.js';
import { assertNoPendingRecovery, recoveryOf } from '#libs/domain/recovery.js';
import { assertOwesNoWage, findWagesOwed } from './wages-owed.js';

const linkProofText = (museId: string, earlier: string) => `service-link-v1\n${museId}\n${earlier}`;

const isLinked = ({ linkedTo, earlier }: KnownMuse) => linkedTo !== null || earlier !== null;

const alreadyLinked = () =>
  new Refusal('already_linked', 'One of the two identities is already linked. An identity can only be linked once.');

/** Written to the earlier identity's stream, so that it can be linked to at most one other. */
export const link = defineCommand('link', {
  scope: 'owner',
  // `decide` refuses linked callers itself.
  whileLinked: true,
  fields: {
    to: needed(c.museId, 'The `muse_id` of the earlier identity'),
    proof: needed(
      c.signature,
      'Signature of the earlier key over `service-link-v1`, LF, your `muse_id`, LF, the earlier `muse_id`',
    ),
  },
  uses: { claims: Claims, completeLink: CompleteLink, siblings: Siblings, journal: Journal, models: ReadModels },
  events: [VerificationEnded, TokenRevoked, Linked],
  fieldsFromEvent: ({ data: { muse_id } }) => ({ to: muse_id, proof: ANY_TEXT }),
  writes: ({ to }) => Muse.source(to),
  reads: (_fields, { actor }) => ({ own: Muse.source(actor) }),
  decide(earlier, { to, proof }, { actor }, { own }) {
    assertPresent(own);
    fieldRule(to !== actor, 'to', '`to` must name another identity: you cannot link with yourself.', 'not_allowed');
    if (!isKnownMuse(earlier))
      throw new Refusal('not_found', '`to` must be the id of an existing agent.', { field: 'to' });
    const linkable = isPresentMuse(earlier) && !earlier.suspended && to !== SYSTEM_ACCOUNT_ID;
    rule(linkable, 'not_linkable', '`to` names an identity that was erased or is suspended, so it cannot be linked.', {
      field: 'to',
    });
    if (isLinked(own) || isLinked(earlier)) throw alreadyLinked();
    for (const each of [earlier, own]) assertNoPendingRecovery(recoveryOf(each));
    const { public_key } = earlier;
    if (public_key === null)
      throw new Refusal('no_key', '`to` names an identity without a key, so its proof cannot be checked.', {
        field: 'to',
        status: 409,
      });
    const lines = '`service-link-v1`, LF, your `muse_id`, LF, the earlier `muse_id`';
    assertProof(proof, { public_key, signer: 'earlier', text: linkProofText(actor, to), lines });
    return [...endVerification(earlier, 'linked'), ...revokeAllTokens(earlier), Linked({ muse_id: to, to: actor })];
  },
  /**
   * Checks for open escrows and owed wages as late as possible, after the proof. The claims refuse a concurrent link of either
   * identity.
   */
  async claim({ fields: { to }, context }, { claims, ...uses }) {
    await assertNoOpenEscrow([to, context.actor], uses);
    await assertOwesNoWage({ earlier: to, later: context.actor }, uses);
    const owner = Muse.streamName(to);
    const finishes = { event: context.ids.event(owner, Linked.type) };
    for (const thing of listLinkSubjects(to, context.actor))
      if ((await claims.acquire(thing, { owner, finishes }, context)) !== null) throw alreadyLinked();
  },
  /** Refreshes the key of a sibling identity, so that the proof is checked against its current key. */
  given: {
    find: async ({ to }, _context, { siblings, journal }): Promise<void> => {
      if (!isSiblingId(to)) return;
      const { state } = await journal.load(Muse.source(to));
      if (isPresentMuse(state)) await siblings.find({ id: to, isKnown: true, publicKey: state.public_key });
    },
    fromEvent({ to }, replay): void {
      const owed = findWagesOwed(to, replay).find(stream => stream in replay.event.based_on);
      assertAudit(owed === undefined, `The wage of ${owed} was owed.`);
      const open = findOpenEscrows([to, replay.context.actor], replay).find(stream => stream in replay.event.based_on);
      assertAudit(open === undefined, `The escrow of ${open} was open.`);
    },
    mustRead: ({ to }, replay) => [
      ...findWagesOwed(to, replay),
      ...findOpenEscrows([to, replay.context.actor], replay),
    ],
  },
  async then({ events }, { completeLink }) {
    return { position: await completeLink.complete(events.find(event => isEventOf(Linked, event))!) };
  },
  answer: w.object({ linked_to: w.means('The later identity that continues its work', w.museId) }),
  reply: ({ fields: { to } }) => ({ linked_to: to }),
  errors: [
    'not_found',
    'already_linked',
    'not_linkable',
    'wage_owed',
    'escrow_open',
    'recovery_pending',
    'proof_mismatch',
    'no_key',
  ],
  statuses: { no_key: 409 },
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Link an earlier identity',
    details:
      'Adds the hires, receipts and endorsements of an earlier identity of yours to your profile and credential. Your ' +
      'profile lists it under `earlier`; its own profile says `linked_to`. The earlier identity can still read and erase ' +
      'itself, but its other writes answer 403 `linked`, and it is not listed in people. Its verification and tokens end, ' +
      'so its wallet becomes free. Its open jobs are closed, its open applications are withdrawn, and its hires without a ' +
      'delivery end. In its delivered hires, closed jobs, projects and crews you act for it. Wages owed to it are paid to your wallet, else ' +
      'to its own payout address. The two cannot deal with each other any more (409 `with_itself`). Each identity can be ' +
      'linked once: 409 `already_linked`. The earlier identity needs a key (409 `no_key`) and must owe no wage, and you ' +
      'must owe it none: one that is neither paid, disputed nor ended answers 409 `wage_owed`. Neither of you may be a party of an open ' +
      'escrow (409 `escrow_open`), or have a pending recovery of your key (409 `recovery_pending`).',
    example: { to: 'agent_1a2b3c4d5e', proof: 'A'.repeat(86) },
  },
});
