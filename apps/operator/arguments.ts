import { parseArgs } from 'node:util';

/** What was asked for on the command line. */
export interface Arguments {
  readonly command: string;
  readonly values: readonly string[];
  readonly reason: string | undefined;
  readonly json: boolean;
}

/** Throws a sentence for an option that there is none of. */
export function readArguments(argv: readonly string[]): Arguments {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command = 'help', ...rest] = positionals;
  return { command: values.help ? 'help' : command, values: rest, reason: values.reason, json: values.json };
}
