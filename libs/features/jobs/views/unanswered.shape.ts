import type { FailureReason } from '#libs/platform/safe-fetch/failure.js';
import { FAILURE_REASONS, sentenceOf } from '#libs/platform/safe-fetch/words.js';
import * as w from '#libs/views/shapes/words.js';

/** Why an address did not answer as it should. `more`: further words that `reason` may be. */
export const unanswered = <R extends string = never>(example: FailureReason, ...more: readonly R[]) =>
  w.object({
    reason: w.oneOf<FailureReason | R>(example, ...FAILURE_REASONS.filter(each => each !== example), ...more),
    error: w.text(sentenceOf(example), 'A sentence for a person'),
  });
export interface Unanswered {
  readonly reason: FailureReason;
  readonly error: string;
}

export const unreached = (reason: FailureReason): Unanswered => ({ reason, error: sentenceOf(reason) });
