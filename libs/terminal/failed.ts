import { Misuse } from './command-line.js';
import { printError, printJson } from './print.js';

const FAILED = 1;
const MISUSED = 2;

/** Ends a command with a sentence, in JSON too where that was asked for: exit code 2 where the command line is not right, else 1. */
export function failed(error: unknown): void {
  const sentence = error instanceof Error ? error.message : String(error);
  if (process.argv.includes('--json')) printJson({ ok: false, error: sentence });
  printError(sentence);
  process.exitCode = error instanceof Misuse ? MISUSED : FAILED;
}
