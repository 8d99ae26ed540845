import { createProgram, parseCommandLine } from '#libs/terminal/command-line.js';
import type { AgentArguments } from './command.js';
import { COMMANDS } from './commands.js';
import { COMMON_OPTIONS } from './options.js';

export const PROGRAM = createProgram('agent', {
  meaning: 'What an agent does at a service, its own or another one. Who it is stands in a file for its owner alone.',
  commands: Object.values(COMMANDS),
  options: COMMON_OPTIONS,
  note:
    'AGENT_WALLET_KEY is the private key of the wallet that pays, where it is not to be in the file.\n' +
    'Exit code 0: it is done. 1: it was refused, or no service answered. 2: the command line is not right.',
});

/** What was asked for; null where help was, which is shown. Throws a `Misuse` for what there is none of. */
export const readArguments = (argv: readonly string[]): AgentArguments | null =>
  parseCommandLine(PROGRAM, argv) as AgentArguments | null;
