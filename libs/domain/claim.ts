import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, defineStream, type EventOf } from './define.js';
import * as f from './event-fields.js';

/**
 * Claims a unique value. The claim takes effect by an event in the owner's stream or by a payment. The stream's name is
 * an HMAC, so it does not reveal the value.
 */
export const Claimed = defineEvent('Claimed', 'A unique value was reserved, such as a name or a wallet.', {
  kind: f.clear(f.oneOf('name', 'key', 'wallet', 'link', 'purchase', 'request', 'muse'), 'Kind of the value'),
  owner: f.clear(f.text, 'Stream of the identity that reserves it'),
  event: f.clear(
    f.orNull(f.text),
    'Id of the event in the owner’s stream that completes the claim; null if a payment does',
  ),
  payment: f.clear(f.orNull(f.text), 'The payment that completes the claim; null if an event does'),
  /** Claimed subjects in the stream of a muse: kind and HMAC of each. */
  subjects: f.clear(
    f.optional(f.list(f.text)),
    'Kind and HMAC of each value, in the stream that one agent’s purchases share',
  ),
});

export type LastClaim = Pick<EventOf<typeof Claimed>, 'id' | 'at' | 'stream' | 'revision' | 'data'>;

/** Names of the claimed subjects in their stream. The only subject of a stream has an empty name. */
export const claimedNames = ({ subjects }: LastClaim['data']) => subjects ?? [''];

/** Last claim of each subject by name. A stream has one subject, or all those that only one muse can claim. */
export const Claim = defineStream('claim', {
  key: (kind: string, hmac: string) => `${kind}-${hmac}`,
  events: [Claimed],
  initial: PersistentMap.empty<string, LastClaim>(),
  evolve: (claims, { id, at, stream, revision, data }) =>
    claimedNames(data).reduce((all, name) => all.with(name, { id, at, stream, revision, data }), claims),
});
