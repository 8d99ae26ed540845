import { Option } from 'commander';
import { UsageError, createProgram, parseCommandLine } from '#libs/terminal/command-line.js';
import { COMMANDS, RECORDS_DEFAULT } from './commands.js';
import { CONFIGURED, type RpcSelection, parseRpcAddresses } from './rpc-addresses.js';

export interface Arguments {
  readonly command: string;
  readonly values: readonly string[];
  /** An address, a file, or undefined for the configured event log. */
  readonly from: string | undefined;
  /** Files with saved checkpoints or exports. */
  readonly checkpoint: readonly string[];
  /** Address of the service whose records and, for the configured log, checkpoint are verified. */
  readonly service: string | undefined;
  readonly rpc: RpcSelection;
  /** Records of each kind, newest first. */
  readonly records: number;
  readonly second: boolean;
  readonly json: boolean;
}

export const PROGRAM = createProgram('auditor', {
  meaning: 'Verifies a service without trusting it: checks each of its claims against its event log.',
  commands: Object.values(COMMANDS),
  options: [
    new Option('--from <address or file>', 'source of the events; by default the configured event log'),
    new Option('--json', 'prints JSON on standard output'),
  ],
  note:
    'Without --from the events are read from the configured event log (DATA_DIR), beside a running service.\n' +
    'Exit code 0: no findings. 1: findings or an error. 2: wrong command line.',
});

interface Options extends Partial<Omit<Arguments, 'records' | 'rpc'>> {
  readonly records?: string;
  readonly rpc?: string[] | true;
}

/** Returns null if help was printed. Throws a `UsageError` for an unknown or invalid command, value or option. */
export function readArguments(argv: readonly string[]): Arguments | null {
  const commandLine = parseCommandLine(PROGRAM, argv);
  if (commandLine === null) return null;
  const { command, values, options } = commandLine;
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
