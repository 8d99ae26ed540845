import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { restrictUmask } from '#libs/setup/data-folder.js';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { SettingError } from '#libs/setup/setting.js';
import { readSettings, type Settings, settingWarnings } from '#libs/setup/settings.js';
import { describeStop, explainStoreOutage } from '#libs/setup/store-places.js';
import { errorSentence, commandFor } from '#libs/terminal/command-line.js';
import { print, printError } from '#libs/terminal/print.js';
import { createLogger } from './logger.js';
import { STOP_MS } from './stopping.js';

/** How long a process with a fault still answers, and when it has ended at the latest. */
const [FAULT_ANSWER_MS, FAULT_END_MS] = [1.5 * SECOND_MS, 4 * SECOND_MS];

/**
 * Starts the process and returns the function that stops it. If `stopping` aborts first, it may release its resources
 * and throw `stopping.reason`, as `unlessStopped` does. After `fail` the process ends with exit code 1.
 */
type ProcessStart = (
  settings: Settings,
  log: Logger,
  stopping: AbortSignal,
  fail: () => void,
) => Promise<() => Promise<void>>;

/**
 * Prints one sentence and a hint and exits with 1 if the process cannot start. Exits with 0 on SIGTERM and SIGINT,
 * also during the start.
 */
export function runProcess(start: ProcessStart): void {
  restrictUmask();
  const stopping = new AbortController();
  let stopped = 'Stopped.';
  const endAfterFault = () => {
    setTimeout(() => process.exit(1), FAULT_END_MS);
    setTimeout(() => void started.then(end => end()).finally(() => process.exit(1)), FAULT_ANSWER_MS);
  };
  const started: Promise<() => Promise<void>> = startProcess(
    (settings, log, signal) => start(settings, log, signal, endAfterFault),
    stopping.signal,
    settings => (stopped = describeStop(settings)),
  );
  const exit = () => {
    print(stopped);
    process.exit(0);
  };
  const failed = (error: unknown) =>
    stopping.signal.aborted && error === stopping.signal.reason ? exit() : fail(error, DOCTOR_HINT);
  started.catch(failed);
  const stop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => fail('Stopping took too long.'), STOP_MS).unref();
    started.then(end => end()).then(exit, failed);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

const DOCTOR_HINT = `${commandFor('operator', 'doctor')} checks settings, stores and chains, and says what to do.`;

async function startProcess(
  start: (...args: [Settings, Logger, AbortSignal]) => Promise<() => Promise<void>>,
  stopping: AbortSignal,
  onSettings: (settings: Settings) => void,
): Promise<() => Promise<void>> {
  const fileWarnings = loadEnvFile(process.env);
  const settings = readSettings(process.env);
  onSettings(settings);
  const log = createLogger(settings.logLevel);
  const warnings = [...fileWarnings, ...settingWarnings(settings, process.env)];
  for (const sentence of warnings.length > 0 ? [DOCTOR_HINT, ...warnings] : []) log.warn(sentence);
  try {
    return await start(settings, log, stopping);
  } catch (error) {
    throw await explainStoreOutage(error, settings);
  }
}

/** Errors for operators are one sentence. Anything else is a defect and is printed with its stack. */
function fail(error: unknown, hint?: string): void {
  const isSentence =
    error instanceof SettingError ||
    error instanceof Refusal ||
    error instanceof Unavailable ||
    (error instanceof Error && error.constructor === Error);
  printError(isSentence ? errorSentence(error) : inspect(error));
  if (hint) printError(hint);
  process.exit(1);
}
