import { SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { tlsHint } from '#libs/setup/tls-hint.js';

/** How long one look may take. */
const LOOK_TIMEOUT_MS = 15 * SECOND_MS;

/** One thing that was looked at: what was found, and what to do where something is wrong. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly sentence: string;
  readonly advice: string | null;
}

export const good = (name: string, sentence: string): Check => ({ name, ok: true, sentence, advice: null });

export const bad = (name: string, sentence: string, advice: string): Check => ({ name, ok: false, sentence, advice });

/** Good where it holds, else bad. */
export const holds = (is: boolean, name: string, sentence: string, otherwise: string, advice: string): Check =>
  is ? good(name, sentence) : bad(name, otherwise, advice);

/** A file or folder that the first start makes does not exist. */
export class NeverRan extends Error {}

/** Looks within a time limit. An error, or no answer in time, becomes a finding with the same advice. */
export async function looked(name: string, advice: string, look: () => Promise<Check[]>): Promise<Check[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Check[]>(resolve => {
    const late = bad(name, `It did not answer within ${LOOK_TIMEOUT_MS / SECOND_MS} seconds.`, advice);
    timer = setTimeout(resolve, LOOK_TIMEOUT_MS, [late]);
  });
  try {
    return await Promise.race([look(), timeout]);
  } catch (error) {
    return [bad(name, sentenceOf(error), advice)];
  } finally {
    clearTimeout(timer);
  }
}

/** The message of an error, with that of its cause. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The setting is named by an error above the outage; the reason is below it.
  const cause = error.cause instanceof Unavailable ? error.cause.cause : error.cause;
  if (tlsHint('', cause) !== undefined) return error.message;
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message;
}
