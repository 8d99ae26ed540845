import { FAILURE_REASONS, failureSentence } from '#libs/platform/safe-fetch/failure.js';
import { ERASED_CONTENT } from './internal-delivery.js';

export function unreadReason(reason: string) {
  const failure = FAILURE_REASONS.find(code => code === reason);
  return failure
    ? { reason: failure, error: `${failureSentence(failure)} The service keeps trying for 24 hours.` }
    : { reason: ERASED_CONTENT.reason, error: 'The delivered content was erased.' };
}
