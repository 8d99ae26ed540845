import { parseArgs } from 'node:util';

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
  /** A file with a checkpoint that somebody kept. */
  readonly checkpoint: string | undefined;
  /** An issuer key that somebody believes: the key itself or its id. */
  readonly issuerKey: string | undefined;
}

/** Throws a sentence for an option that there is none of. */
export function readArguments(argv: readonly string[]): Arguments {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      json: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      checkpoint: { type: 'string' },
      'issuer-key': { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command = 'help', ...rest] = positionals;
  const { help, reason, json, yes, checkpoint, 'issuer-key': issuerKey, 'dry-run': dryRun } = values;
  return { command: help ? 'help' : command, values: rest, reason, json, yes, dryRun, checkpoint, issuerKey };
}
