import { FAILURE_REASONS, failureSentence } from '#libs/platform/safe-fetch/failure-text.js';
import { ERASED_CONTENT } from './internal-delivery.js';

export function unreadReason(reason: string) {
  const known = FAILURE_REASONS.find(each => each === reason);
  return known
    ? { reason: known, error: `${failureSentence(known)} The service tries again for 24 hours.` }
    : { reason: ERASED_CONTENT.reason, error: 'What was delivered is erased.' };
}
