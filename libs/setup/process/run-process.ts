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

/** How long stopping takes at most: 10 s for the requests under way, and what is left to be written. */
const STOP_MS = 14 * SECOND_MS;

/**
 * Starts what a process is for; answers what ends it. Who is told to stop meanwhile need not end its start: it throws
 * `stopping.reason`, as `unlessStopped` does, once it has let go of what it holds.
 */
export type ProcessStart = (settings: Settings, log: Logger, stopping: AbortSignal) => Promise<() => Promise<void>>;

/**
 * One process of the service: settings from the environment or `.env`, a sentence and exit code 1 where it cannot
 * start, and an orderly end with exit code 0 at SIGTERM or SIGINT, also one that comes while it starts.
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

/** What is meant for an operator is one sentence; anything else is a defect, and shown whole. */
function fail(error: unknown): void {
  const isSentence =
    error instanceof SettingError ||
    error instanceof Refusal ||
    error instanceof Unavailable ||
    (error instanceof Error && error.constructor === Error);
  printError(isSentence ? errorSentence(error) : inspect(error));
  process.exit(1);
}
