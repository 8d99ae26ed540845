import type { Static } from 'typebox';
import type { FailureReason } from '#libs/safe-fetch/failure.js';
import { FAILURE_REASONS, sentenceOf } from '#libs/safe-fetch/words.js';
import * as w from './words.js';

/** Why an address did not answer as it should. `more`: further words that `reason` may be. */
export function unanswered(example: FailureReason, ...more: readonly string[]) {
  const words = [...FAILURE_REASONS, ...more].map(each => `\`${each}\``);
  return w.object({
    reason: w.text(example, `One of ${words.join(', ')}`),
    error: w.text(sentenceOf(example), 'A sentence for a person'),
  });
}
export type Unanswered = Static<ReturnType<typeof unanswered>>;

export const unreached = (reason: FailureReason): Unanswered => ({ reason, error: sentenceOf(reason) });
