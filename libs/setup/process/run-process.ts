import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { restrictUmask } from '../data-folder.js';
import { loadEnvFile } from '../env-file.js';
import { explainStoreOutage } from '../store-outage.js';
import { SettingError } from '../setting.js';
import { readSettings, type Settings } from '../settings.js';
import { unusedSettings } from '../unused-settings.js';
import { errorSentence } from '#libs/terminal/fail-command.js';
import { printError } from '#libs/terminal/print.js';
import { createLogger } from './logger.js';

/** Limit for stopping: 10 s for running requests, the rest for pending writes. */
const STOP_MS = 14 * SECOND_MS;

/**
 * Starts the process and returns the function that stops it. If `stopping` aborts first, it may release its resources
 * and throw `stopping.reason`, as `unlessStopped` does.
 */
export type ProcessStart = (settings: Settings, log: Logger, stopping: AbortSignal) => Promise<() => Promise<void>>;

/**
 * Prints one sentence and exits with 1 if the process cannot start. Exits with 0 on SIGTERM and SIGINT, also during
 * the start.
 */
export function runProcess(start: ProcessStart): void {
  restrictUmask();
  const stopping = new AbortController();
  const started = startProcess(start, stopping.signal);
  const failed = (error: unknown) =>
    stopping.signal.aborted && error === stopping.signal.reason ? process.exit(0) : fail(error);
  started.catch(failed);
  const stop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => fail('Stopping took too long.'), STOP_MS).unref();
    started.then(end => end()).then(() => process.exit(0), failed);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

async function startProcess(start: ProcessStart, stopping: AbortSignal): Promise<() => Promise<void>> {
  const warnings = loadEnvFile(process.env);
  const settings = readSettings(process.env);
  const log = createLogger(settings.logLevel);
  for (const sentence of warnings) log.warn(sentence);
  for (const sentence of unusedSettings(settings, process.env)) log.warn(sentence);
  try {
    return await start(settings, log, stopping);
  } catch (error) {
    throw explainStoreOutage(error, settings);
  }
}

/** Errors for operators are one sentence. Anything else is a defect and is printed with its stack. */
function fail(error: unknown): void {
  const isSentence =
    error instanceof SettingError ||
    error instanceof Refusal ||
    error instanceof Unavailable ||
    (error instanceof Error && error.constructor === Error);
  printError(isSentence ? errorSentence(error) : inspect(error));
  process.exit(1);
}
