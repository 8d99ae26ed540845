import { Option } from 'commander';
import { createProgram, parseOptions } from '#libs/terminal/command-line.js';

export interface StartOptions {
  /** A gateway only. Otherwise the process also runs the projections and locks its folder exclusively. */
  readonly apart?: boolean;
  /** Overrides `PORT`. */
  readonly port?: string;
}

const PROGRAM = createProgram('start', {
  meaning:
    'Starts the service: REST, read models and payments in one process. Settings come from the environment and .env.',
  options: [
    new Option('--port <number>', 'port to listen on, instead of PORT; 0 takes a free one'),
    new Option('--apart', 'only a gateway, beside other gateways and a projector'),
  ],
  note: 'docs/settings.md lists all settings. Exit code 0: stopped. 1: cannot run. 2: wrong command line.',
});

/** Returns null if help was printed. Throws a `UsageError`. */
export const readStartOptions = (argv: readonly string[]) => parseOptions<StartOptions>(PROGRAM, argv);
