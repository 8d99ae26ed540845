import { defineEvent, defineStream } from './define.js';
import * as f from './event-fields.js';

/**
 * Claims a unique value. The claim takes effect by an event in the owner's stream or by a payment. The stream's name is
 * an HMAC, so it does not reveal the value.
 */
export const Claimed = defineEvent('Claimed', {
  kind: f.clear(f.oneOf('name', 'key', 'wallet', 'link', 'purchase', 'request')),
  owner: f.clear(f.text),
  event: f.clear(f.orNull(f.text)),
  payment: f.clear(f.orNull(f.text)),
});

/** Only the last claim of a stream counts. */
export const Claim = defineStream('claim', {
  key: (kind: string, hmac: string) => `${kind}-${hmac}`,
  events: [Claimed],
  initial: null as ReturnType<typeof Claimed>['data'] | null,
  evolve: (_claim, { data }) => data,
});
