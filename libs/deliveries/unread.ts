import { FAILURE_REASONS, inWords } from '#libs/safe-fetch/words.js';
import * as w from '#libs/views/shapes/words.js';
import { ERASED } from './found-here.js';

const REASONS = [...FAILURE_REASONS, ERASED.reason];
const ABOUT_REASONS = `One of ${REASONS.map(each => `\`${each}\``).join(', ')}`;
const AGAIN = 'The service tries again for 24 hours.';

/** Why a delivery has no digest yet, in answers. */
export const unread = w.object({
  reason: w.text('status', ABOUT_REASONS),
  error: w.text(whyUnread('status'), 'A sentence for a person'),
});

/** `reason` as the log has it. */
export function whyUnread(reason: string): string {
  const known = FAILURE_REASONS.find(each => each === reason);
  if (known === undefined) return 'What was delivered is erased.';
  const [first, ...more] = inWords(known);
  return `${first!.toUpperCase()}${more.join('')}. ${AGAIN}`;
}
