import { Option } from 'commander';
import { createProgram, parseOptions } from '#libs/terminal/command-line.js';

/** How the service was started. */
export interface StartOptions {
  /** A gateway alone; without it the process runs the projections too, and is the only one of its kind on its folder. */
  readonly apart?: boolean;
  /** Instead of `PORT`. */
  readonly port?: string;
}

const PROGRAM = createProgram('start', {
  meaning:
    'Starts the service: REST, read models and payments in one process. Settings come from the environment and .env.',
  options: [
    new Option('--port <number>', 'where it listens, instead of PORT; 0 takes a free one'),
    new Option('--apart', 'a gateway alone, beside others and a projector'),
  ],
  note: 'docs/settings.md lists every setting. Exit code 0: stopped. 1: cannot run. 2: wrong command line.',
});

/** Throws a `Misuse`; null where help was asked for, which is shown. */
export const readStartOptions = (argv: readonly string[]) => parseOptions<StartOptions>(PROGRAM, argv);
