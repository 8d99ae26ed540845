/** The first line of a challenge: no message for another purpose begins with it. */
export const INSTANT_TAG = 'service-instant-v1';

/** The lines that a challenge begins with, joined by LF: nobody else's, and of no other task. */
const head = (task: number, museId: string) => `${INSTANT_TAG}\n${task}\n${museId}\n`;

/** The text that a muse signs to answer a task; `rest` is one line of the service's own. */
export const instantChallenge = (task: number, museId: string, rest: string) => head(task, museId) + rest;

/**
 * Whether a text is the challenge of this task for this muse, and so no message that means anything elsewhere. A client
 * signs nothing else that a task gives it.
 */
export function isInstantChallenge(text: string, task: number, museId: string): boolean {
  const own = head(task, museId);
  return text.startsWith(own) && !text.slice(own.length).includes('\n');
}
