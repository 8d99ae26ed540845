import { defineEvent, defineStream } from './define.js';
import * as f from './event-fields.js';

/**
 * Something unique is wanted. What finishes the claim is an event in the owner's stream, or a payment. The stream's
 * name is an HMAC of the thing, so nothing here says what it is.
 */
export const Claimed = defineEvent('Claimed', {
  kind: f.clear(f.oneOf('name', 'key', 'wallet', 'link', 'purchase', 'request')),
  /** The stream whose state decides whether the thing is held. */
  owner: f.clear(f.text),
  event: f.clear(f.orNull(f.text)),
  payment: f.clear(f.orNull(f.text)),
});

/** The last claim of a thing; a claim never looks at the ones before it. */
export const Claim = defineStream('claim', {
  key: (kind: string, hmac: string) => `${kind}-${hmac}`,
  events: [Claimed],
  initial: null as ReturnType<typeof Claimed>['data'] | null,
  evolve: (_claim, { data }) => data,
});
