import { isNativeError } from 'node:util/types';
import { UsageError } from './command-line.js';
import { printError, printJson } from './print.js';

const EXIT_FAILED = 1;
const EXIT_MISUSED = 2;

const SYSTEM_PROBLEMS: { readonly [code: string]: string } = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed by this user',
  EPERM: 'may not be changed by this user',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  ENOSPC: 'is on a disk that is full',
  EROFS: 'is on a disk that is read-only',
};

/** Returns a sentence for a person. An error of the operating system names the file instead of the system call. */
export function errorSentence(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const { code: systemCode = '', syscall, path = 'A file or folder' } = error as NodeJS.ErrnoException;
  const problem = syscall === undefined ? undefined : SYSTEM_PROBLEMS[systemCode];
  return problem === undefined ? error.message : `${path} ${problem} (${systemCode}).`;
}

/** Prints the error, as JSON too with `--json`, and sets the exit code: 2 for a wrong command line, else 1. */
export function failCommand(error: unknown): void {
  const sentence = errorSentence(error);
  if (process.argv.includes('--json')) printJson({ ok: false, error: sentence });
  printError(sentence);
  process.exitCode = error instanceof UsageError ? EXIT_MISUSED : EXIT_FAILED;
}
