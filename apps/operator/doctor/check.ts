import { SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { tlsHint } from '#libs/setup/tls-hint.js';

/** How long one look may take. */
const CHECK_TIMEOUT_MS = 15 * SECOND_MS;

/** One thing that was looked at: what was found, and what to do where something is wrong. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly sentence: string;
  readonly advice: string | null;
}

export const passedCheck = (name: string, sentence: string): Check => ({ name, ok: true, sentence, advice: null });

export const failedCheck = (name: string, sentence: string, advice: string): Check => ({
  name,
  ok: false,
  sentence,
  advice,
});

/** Good where it holds, else bad. */
export const checkThat = (is: boolean, name: string, sentence: string, otherwise: string, advice: string): Check =>
  is ? passedCheck(name, sentence) : failedCheck(name, otherwise, advice);

/** A file or folder that the first start makes does not exist. */
export class NeverStarted extends Error {}

/** Looks within a time limit. An error, or no answer in time, becomes a finding with the same advice. */
export async function runCheck(name: string, advice: string, look: () => Promise<Check[]>): Promise<Check[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Check[]>(resolve => {
    const late = failedCheck(name, `It did not answer within ${CHECK_TIMEOUT_MS / SECOND_MS} seconds.`, advice);
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, [late]);
  });
  try {
    return await Promise.race([look(), timeout]);
  } catch (error) {
    return [failedCheck(name, describeError(error), advice)];
  } finally {
    clearTimeout(timer);
  }
}

/** The message of an error, with that of its cause. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The setting is named by an error above the outage; the reason is below it.
  const cause = error.cause instanceof Unavailable ? error.cause.cause : error.cause;
  if (tlsHint('', cause) !== undefined) return error.message;
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message;
}
