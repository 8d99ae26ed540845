import { aboutReasons, FAILURE_REASONS, sentenceOf } from '#libs/safe-fetch/words.js';
import * as w from '#libs/views/shapes/words.js';
import { ERASED } from './found-here.js';

/** Why a delivery has no digest yet, in answers. */
export const unread = w.object({
  reason: w.text('status', aboutReasons(ERASED.reason)),
  error: w.text(whyUnread('status'), 'A sentence for a person'),
});

/** `reason` as the log has it. */
export function whyUnread(reason: string): string {
  const known = FAILURE_REASONS.find(each => each === reason);
  return known ? `${sentenceOf(known)} The service tries again for 24 hours.` : 'What was delivered is erased.';
}
