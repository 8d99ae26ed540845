import { type FailureReason, FAILURE_REASONS, failureSentence } from '#libs/platform/safe-fetch/failure.js';
import * as w from '#libs/values/answer-schema.js';

/** `more`: further values of `reason`. */
export const fetchFailureShape = <R extends string = never>(example: FailureReason, ...more: readonly R[]) =>
  w.part('Why the address could not be read', {
    reason: w.means(
      'The reason as a code',
      w.oneOf<FailureReason | R>(example, ...FAILURE_REASONS.filter(reason => reason !== example), ...more),
    ),
    error: w.text(failureSentence(example), 'The reason as a sentence'),
  });
export interface FetchFailure {
  readonly reason: FailureReason;
  readonly error: string;
}

export const fetchFailure = (reason: FailureReason): FetchFailure => ({ reason, error: failureSentence(reason) });
