/** No other signed message starts with this line. */
export const INSTANT_TAG = 'service-instant-v1';

const challengePrefix = (task: number, museId: string) => `${INSTANT_TAG}\n${task}\n${museId}\n`;

export const instantChallenge = (task: number, museId: string, rest: string) => challengePrefix(task, museId) + rest;

/** Whether a text is the challenge of this task and muse. Clients must sign no other text of a task. */
export function isInstantChallenge(text: string, task: number, museId: string): boolean {
  const prefix = challengePrefix(task, museId);
  return text.startsWith(prefix) && !text.slice(prefix.length).includes('\n');
}
