import { FAILURE_REASONS, sentenceOf } from '#libs/platform/safe-fetch/words.js';
import { ERASED } from './found-here.js';

/** Explains in an answer why a delivery has no digest yet; `reason` comes from the log. */
export function unread(reason: string) {
  const known = FAILURE_REASONS.find(each => each === reason);
  return known
    ? { reason: known, error: `${sentenceOf(known)} The service tries again for 24 hours.` }
    : { reason: ERASED.reason, error: 'What was delivered is erased.' };
}
