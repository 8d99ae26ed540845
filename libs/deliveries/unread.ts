import { FAILURE_REASONS, sentenceOf } from '#libs/safe-fetch/words.js';
import type { Unanswered } from '#libs/views/shapes/unanswered.js';

/** Why a delivery has no digest yet, in answers; `reason` as the log has it. */
export function unread(reason: string): Unanswered {
  const known = FAILURE_REASONS.find(each => each === reason);
  const error = known ? `${sentenceOf(known)} The service tries again for 24 hours.` : 'What was delivered is erased.';
  return { reason, error };
}
