import { parseArgs } from 'node:util';

/** How many records of each kind are looked at where nothing else is said. */
const RECORDS = 1_000;

/** What was asked for on the command line. */
export interface Arguments {
  readonly command: string;
  readonly values: readonly string[];
  /** An address, a file, or undefined for the configured event log. */
  readonly from: string | undefined;
  /** Files that were kept: a checkpoint each, or an export. */
  readonly checkpoint: readonly string[];
  /** Where the service answers whose records are looked at. */
  readonly service: string | undefined;
  /** RPC addresses by the chain's short name. */
  readonly rpc: ReadonlyMap<string, string>;
  /** How many records of each kind are looked at, the newest. */
  readonly records: number;
  readonly second: boolean;
  readonly json: boolean;
}

/** Throws a sentence for an option that there is none of, or that is not right. */
export function readArguments(argv: readonly string[]): Arguments {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      checkpoint: { type: 'string', multiple: true, default: [] },
      service: { type: 'string' },
      rpc: { type: 'string' },
      records: { type: 'string', default: String(RECORDS) },
      second: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command = 'help', ...rest] = positionals;
  const { from, checkpoint, service, second, json } = values;
  const asked = { from, checkpoint, service, second, json, rpc: rpcOf(values.rpc ?? '') };
  const records = countOf(values.records);
  return { command: values.help ? 'help' : command, values: rest, records, ...asked };
}

function countOf(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new Error(`--records: "${text}" must be a number.`);
  return Number(text);
}

/** `base=http://...,robinhood=http://...` */
function rpcOf(text: string): Map<string, string> {
  const parts = text.split(',').filter(part => part !== '');
  return new Map(parts.map(pairOf));
}

const isHttpAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** An address may hold a key, so the sentence does not repeat it. */
function pairOf(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  const address = part.slice(at + 1);
  if (at < 1 || !isHttpAddress(address))
    throw new Error('--rpc must be <chain>=<address>, comma separated, with http or https addresses.');
  return [part.slice(0, at), address];
}
