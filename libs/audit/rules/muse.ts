import { EarlierLinked, Linked } from '#libs/streams/link-events.js';
import {
  Joined,
  KeyBound,
  OperatorVerified,
  Muse,
  ProfileUpdated,
  Registered,
  Reinstated,
  Suspended,
  TokenIssued,
  TokenRevoked,
  VerificationEnded,
  Verified,
} from '#libs/streams/muse.js';
import type { Facts } from './facts.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import type { Authorization } from '#libs/kernel/event.js';
import { byActor, type Condition, inStream, on, unless } from './rule.js';
import { operatorSigned } from './operator.js';
import { settledWith } from './payment.js';

interface OfMuse {
  readonly stream: string;
  readonly data: { readonly muse_id: string };
}

function known(event: OfMuse, facts: Facts) {
  const { muse_id: muse } = event.data;
  const is = facts.muse(muse).status !== 'unknown';
  return [inStream(event, Muse.named(muse)), [is, `${muse} was never registered.`]] as const;
}

/** What begins and what binds a key of a sibling identity follows from its own network alone. */
function vouchedFor({ authorization, data }: OfMuse & { readonly authorization: Authorization }): Condition {
  const holds = !isSiblingId(data.muse_id) || authorization.mode === 'service';
  return [holds, 'The key of a sibling identity is what its own network says, and nothing else binds one.'];
}

export const MUSE_RULES = [
  on(Registered, (event, facts) => {
    const { muse_id: muse } = event.data;
    const isNew = facts.muse(muse).status === 'unknown';
    const once: Condition = [isNew, `${muse} is registered a second time.`];
    return unless(inStream(event, Muse.named(muse)), once, vouchedFor(event));
  }),
  on(Joined, (event, facts) => {
    const once = facts.muse(event.data.muse_id).status !== 'joined';
    return unless(...known(event, facts), [once, `${event.data.muse_id} had joined before.`]);
  }),
  on(ProfileUpdated, (event, facts) => unless(...known(event, facts))),
  on(TokenIssued, (event, facts) => {
    const ends: Condition = [event.data.expires_at > event.at, 'The token had ended when it was issued.'];
    return unless(...known(event, facts), ends);
  }),
  on(TokenRevoked, (event, facts) => {
    const muse = facts.muse(event.data.muse_id);
    const had = muse.status !== 'unknown' && event.data.hashes.every(hash => muse.tokens.has(hash));
    return unless(...known(event, facts), [had, `${event.data.muse_id} had no such token.`]);
  }),
  on(KeyBound, (event, facts) => {
    const muse = facts.muse(event.data.muse_id);
    const isNew = muse.status === 'unknown' || muse.public_key !== event.data.public_key;
    const { replaces } = event.data;
    const was = muse.status === 'unknown' || replaces === undefined || muse.public_key === replaces;
    return unless(
      ...known(event, facts),
      vouchedFor(event),
      [isNew, `It was the key of ${event.data.muse_id} already.`],
      [was, `${replaces}, which it replaces, was not the key of ${event.data.muse_id}.`],
    );
  }),
  on(VerificationEnded, (event, facts) => {
    const { muse_id, wallet } = event.data;
    const muse = facts.muse(muse_id);
    const was = muse.status !== 'unknown' && muse.wallet === wallet;
    return unless(...known(event, facts), [was, `${wallet} was not the wallet of ${muse_id}.`]);
  }),
  on(OperatorVerified, (event, facts) => unless(...known(event, facts), ...operatorSigned(event))),
  on(Suspended, (event, facts) => {
    const muse = facts.muse(event.data.muse_id);
    const acts = muse.status !== 'unknown' && !muse.suspended;
    return unless(...known(event, facts), byActor(event, 'operator', 'the operator'), [
      acts,
      'It was suspended before.',
    ]);
  }),
  on(Reinstated, (event, facts) => {
    const muse = facts.muse(event.data.muse_id);
    const was = muse.status !== 'unknown' && muse.suspended;
    return unless(...known(event, facts), byActor(event, 'operator', 'the operator'), [was, 'It was not suspended.']);
  }),
  on(Linked, (event, facts) => {
    const { linkedTo } = { linkedTo: null, ...facts.muse(event.data.muse_id) };
    const own = byActor(event, event.data.to, 'who it counts for');
    return unless(...known(event, facts), own, [linkedTo === null, `${event.data.muse_id} was linked before.`]);
  }),
  on(EarlierLinked, (event, facts) => {
    const { linkedTo } = { linkedTo: null, ...facts.muse(event.data.earlier) };
    const isLinked = linkedTo === event.data.muse_id;
    return unless(...known(event, facts), [isLinked, `${event.data.earlier} was not linked to it.`]);
  }),
  on(Verified, (event, facts) => {
    const { payment, wallet, muse_id: muse } = event.data;
    const state = facts.payment(payment);
    const payer = state.status === 'unknown' ? null : state.accepted.data;
    const paid = payer?.payer.toLowerCase() === wallet.toLowerCase() && payer.muse_id === muse;
    return [
      ...unless(...known(event, facts), [
        payer === null || paid,
        `The payment was not made by ${muse} from ${wallet}.`,
      ]),
      ...settledWith(event.data, facts),
    ];
  }),
];
