import { SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { within } from '#libs/platform/bounds/time-limit.js';

const CHECK_TIMEOUT_MS = 15 * SECOND_MS;

/** A finding, with advice if something is wrong. */
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

export const checkThat = (isOk: boolean, name: string, sentence: string, otherwise: string, advice: string): Check =>
  isOk ? passedCheck(name, sentence) : failedCheck(name, otherwise, advice);

/** A file or folder that the first start creates does not exist. */
export class NeverStarted extends Error {}

/** Applies a time limit. An error or a timeout becomes a finding with the same advice. */
export async function runCheck(name: string, advice: string, check: () => Promise<Check[]>): Promise<Check[]> {
  const silence = `It did not answer within ${CHECK_TIMEOUT_MS / SECOND_MS} seconds.`;
  try {
    return await within(CHECK_TIMEOUT_MS, check(), () => [failedCheck(name, silence, advice)]);
  } catch (error) {
    return [failedCheck(name, describeError(error), advice)];
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An outage's message names the setting, and its cause has the reason.
  const cause = error.cause instanceof Unavailable ? error.cause.cause : error.cause;
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message;
}
