import { FAILURE_REASONS, failureSentence } from '#libs/platform/safe-fetch/failure.js';

/** Reason of a reading whose content was erased before it. */
export const ERASED = 'erased' as const;

/** Says why a delivery was not read. `note` follows if it can be read later. */
export function unreadReason(reason: string, note = '') {
  const failure = FAILURE_REASONS.find(code => code === reason);
  return failure
    ? { reason: failure, error: `${failureSentence(failure)}${note}` }
    : { reason: ERASED, error: 'The delivered content was erased.' };
}
