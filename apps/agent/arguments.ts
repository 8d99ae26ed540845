import { createProgram, parseCommandLine } from '#libs/terminal/command-line.js';
import type { AgentArguments } from './command.js';
import { COMMANDS } from './commands.js';
import { COMMON_OPTIONS } from './options.js';

export const PROGRAM = createProgram('agent', {
  meaning: 'Acts as an agent of a service. The identity is stored in a private file.',
  commands: Object.values(COMMANDS),
  options: COMMON_OPTIONS,
  note:
    'AGENT_WALLET_KEY is the private key of the paying wallet, if it should not be in the file.\n' +
    'Exit code 0: done. 1: refused, or no service answered. 2: wrong command line.',
});

/** Returns null if help was printed. Throws a `UsageError` for an unknown command, value or option. */
export const readArguments = (argv: readonly string[]): AgentArguments | null =>
  parseCommandLine(PROGRAM, argv) as AgentArguments | null;
