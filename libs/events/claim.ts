import { event } from './define.js';
import * as f from './fields.js';

/**
 * Something unique is wanted. What finishes the claim is an event in the owner's stream, or a payment. The stream's
 * name is an HMAC of the thing, so nothing here says what it is.
 */
export const Claimed = event('Claimed', {
  data: {
    kind: f.oneOf('name', 'key', 'wallet', 'purchase', 'request'),
    /** The stream whose state decides whether the thing is held. */
    owner: f.text,
    event: f.orNull(f.text),
    payment: f.orNull(f.text),
  },
});
