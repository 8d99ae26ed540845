import { Option } from 'commander';
import { UsageError, createProgram, parseCommandLine } from '#libs/terminal/command-line.js';
import { COMMANDS } from './commands.js';
import { RECORDS_DEFAULT } from './options.js';
import { CONFIGURED, type RpcSelection, parseRpcAddresses } from './rpc-addresses.js';

/** What was asked for on the command line. */
export interface Arguments {
  readonly command: string;
  readonly values: readonly string[];
  /** An address, a file, or undefined for the configured event log. */
  readonly from: string | undefined;
  /** Files that were kept: a checkpoint each, or an export. */
  readonly checkpoint: readonly string[];
  /** Where the service answers whose records, and whose checkpoint of the configured log, are looked at. */
  readonly service: string | undefined;
  /** RPC addresses by the chain's short name, those of the settings, or null where no chain is asked. */
  readonly rpc: RpcSelection;
  /** How many records of each kind are looked at, the newest. */
  readonly records: number;
  readonly second: boolean;
  readonly json: boolean;
}

export const PROGRAM = createProgram('auditor', {
  meaning: 'What anybody does who believes nothing: each claim of a service is checked against its event log.',
  commands: Object.values(COMMANDS),
  options: [
    new Option('--from <address or file>', 'where the events come from; by default the configured event log'),
    new Option('--json', 'answers JSON on standard output'),
  ],
  note:
    'Without --from the events are read from the configured event log (DATA_DIR), beside a running service.\n' +
    'Exit code 0: nothing is wrong. 1: something is. 2: the command line is not right.',
});

interface Options extends Partial<Omit<Arguments, 'records' | 'rpc'>> {
  readonly records?: string;
  readonly rpc?: string[] | true;
}

/** What was asked for; null where help was, which is shown. Throws a `Misuse` for what there is none of, or is not right. */
export function readArguments(argv: readonly string[]): Arguments | null {
  const asked = parseCommandLine(PROGRAM, argv);
  if (asked === null) return null;
  const { command, values, options } = asked;
  const {
    from,
    checkpoint = [],
    service,
    rpc,
    records = RECORDS_DEFAULT,
    second = false,
    json = false,
  } = options as Options;
  const chains = rpc === undefined ? null : rpc === true ? CONFIGURED : parseRpcAddresses(rpc);
  return { command, values, from, checkpoint, service, rpc: chains, records: parseCount(records), second, json };
}

function parseCount(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageError(`--records: "${text}" must be a number.`);
  return Number(text);
}
