import { Option } from 'commander';
import { createProgram, parseCommandLine } from '#libs/terminal/command-line.js';
import { COMMANDS } from './commands.js';

export interface Arguments {
  readonly command: string;
  readonly values: readonly string[];
  readonly reason?: string;
  readonly json: boolean;
  /** Confirms an irreversible command. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Discards an unfinished rebuild instead of resuming it. */
  readonly startOver: boolean;
  readonly undo?: boolean;
  /** File with a checkpoint to compare the log with. */
  readonly checkpoint?: string;
  /** Recovery key that started a recovery. */
  readonly key?: string;
  /** Trusted issuer key, or its id. */
  readonly issuerKey?: string;
  /** Compares payments with the chains. */
  readonly reconcile?: boolean;
  /** First block by rail. */
  readonly since?: string;
  /** Ids of explained differences. */
  readonly acknowledge?: readonly string[];
  /** Lists closed reports too. */
  readonly all?: boolean;
}

export const PROGRAM = createProgram('operator', {
  meaning: 'Commands for the operator of a service. Settings come from the environment and .env.',
  commands: Object.values(COMMANDS),
  options: [
    new Option('--reason <text>', 'public reason, stored in the event that the command writes'),
    new Option('--json', 'prints JSON on standard output'),
  ],
  note: 'Exit code 0: no problem. 1: a problem or an error. 2: wrong command line.',
});

/** Returns null if help was printed. Throws a `UsageError` for an unknown command, value or option. */
export function readArguments(argv: readonly string[]): Arguments | null {
  const commandLine = parseCommandLine(PROGRAM, argv);
  if (commandLine === null) return null;
  const { command, values, options } = commandLine;
  return { command, values, json: false, yes: false, dryRun: false, startOver: false, ...options };
}
