import { Option } from 'commander';
import { createProgram, parseCommandLine } from '#libs/terminal/command-line.js';
import { COMMANDS } from './commands.js';

/** What was asked for on the command line. */
export interface Arguments {
  readonly command: string;
  readonly values: readonly string[];
  readonly reason: string | undefined;
  readonly json: boolean;
  /** Confirms what cannot be undone. */
  readonly yes: boolean;
  /** Says what would be done, and does nothing. */
  readonly dryRun: boolean;
  /** Drops what was not finished, and does not go on with it. */
  readonly startOver: boolean;
  /** A file with a checkpoint that somebody kept. */
  readonly checkpoint: string | undefined;
  /** An issuer key that somebody believes: the key itself or its id. */
  readonly issuerKey: string | undefined;
}

export const PROGRAM = createProgram('operator', {
  meaning: 'What the operator of a service does, beside it while it runs. Settings come from the environment and .env.',
  commands: Object.values(COMMANDS),
  options: [
    new Option('--reason <text>', 'stands on the event that the command writes, for everybody to read'),
    new Option('--json', 'answers JSON on standard output'),
  ],
  note: 'Exit code 0: nothing is wrong. 1: something is. 2: the command line is not right.',
});

/** What was asked for; null where help was, which is shown. Throws a `Misuse` for what there is none of. */
export function readArguments(argv: readonly string[]): Arguments | null {
  const asked = parseCommandLine(PROGRAM, argv);
  if (asked === null) return null;
  const { command, values, options } = asked;
  const { json = false, yes = false, dryRun = false, startOver = false, ...texts } = options as Partial<Arguments>;
  const { reason, checkpoint, issuerKey } = texts;
  return { command, values, reason, json, yes, dryRun, startOver, checkpoint, issuerKey };
}
