import { setImmediate as turn } from 'node:timers/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Memory, Record } from './memory.js';
import { caughtUpAnswer, checkpointAnswer, confirmedAnswer } from './messages.js';
import type { WireFaults } from './wire-faults.js';
import { fail, indexBehind, sendRecord, type ReadCall } from './reads.js';

/** Buffered events per live subscriber; version 23.10 drops the subscriber on overflow. */
export const LIVE_BUFFER = 32;
const TOO_SLOW = 'Consumer too slow to handle event while live. Client resubscription required.';
const WINDOW_RECORDS = 32;

type Options = streams.ReadReq.Options;

/** Supported server versions: 24.6 keeps slow subscribers and describes an empty page in more detail. */
export type ServerVersion = '23.10.8' | '24.6.0';
export const SERVER_VERSIONS: readonly ServerVersion[] = ['23.10.8', '24.6.0'];
/** Whether a large append can drop a live subscriber, which then has to catch up. */
export const dropsSlowSubscribers = (version: string) => version.startsWith('23.');

/** Subscribes to `$all` after a position: existing events first, then new ones. */
export function subscribe(
  memory: Memory,
  faults: WireFaults,
  call: ReadCall,
  options: Options,
  version: ServerVersion,
): void {
  const filter = filterOf(options.getFilter());
  call.write(confirmedAnswer());
  void catchUp(memory, faults, call, startOf(memory, options.getAll()!), filter, version);
}

interface Filter {
  matches(record: Record): boolean;
  /** Number of records between checkpoints; null without a filter. */
  readonly window: number | null;
}

async function catchUp(
  memory: Memory,
  faults: WireFaults,
  call: ReadCall,
  start: number,
  filter: Filter,
  version: ServerVersion,
): Promise<void> {
  let looked = 0;
  for (let at = start; at < memory.records.length; at += 1) {
    const record = memory.records[at]!;
    const matched = filter.matches(record);
    if (matched && !(await sendRecord(call, record))) return;
    looked += 1;
    if (filter.window !== null && looked % filter.window === 0) call.write(checkpointAnswer(record.commit, matched));
    if (looked % LIVE_BUFFER === 0) await turn();
    if (call.cancelled) return;
  }
  const isSlowKept = !dropsSlowSubscribers(version);
  if (isSlowKept && filter.window !== null) call.write(checkpointAnswer(memory.next, false));
  call.write(caughtUpAnswer());
  live(memory, faults, call, filter, isSlowKept ? Infinity : LIVE_BUFFER);
}

/** Buffers every append at once; an append larger than the buffer drops the subscriber. */
function live(memory: Memory, faults: WireFaults, call: ReadCall, filter: Filter, bufferMax: number): void {
  const waiting: Record[] = [];
  let isSending = false;
  const send = async () => {
    isSending = true;
    await (faults.deliveryDelayMs > 0 ? pause(faults.deliveryDelayMs) : turn());
    for (let record = waiting.shift(); record; record = waiting.shift()) if (!(await sendRecord(call, record))) return;
    isSending = false;
  };
  const stop = memory.follow(records => {
    for (const record of records.filter(each => filter.matches(each))) {
      if (waiting.length >= bufferMax) return void drop();
      waiting.push(record);
    }
    if (!isSending) void send();
  });
  const drop = async () => {
    stop();
    if (!isSending) await send();
    fail(call, status.ABORTED, TOO_SLOW);
  };
  for (const ending of ['cancelled', 'close']) call.on(ending, stop);
}

function startOf(memory: Memory, options: streams.ReadReq.Options.AllOptions): number {
  if (options.hasStart()) return 0;
  const position = options.getPosition();
  return position ? indexBehind(memory.records, BigInt(position.getCommitPosition())) : memory.records.length;
}

function filterOf(options: streams.ReadReq.Options.FilterOptions | undefined): Filter {
  if (!options) return { matches: () => true, window: null };
  const byType = options.getEventType();
  const { regex, prefixes } = expressionOf((byType ?? options.getStreamIdentifier())!);
  const fits = (text: string) => (regex ? regex.test(text) : prefixes.some(prefix => text.startsWith(prefix)));
  const window = (options.getMax() || WINDOW_RECORDS) * options.getCheckpointintervalmultiplier();
  return { matches: record => fits(byType ? record.type : record.stream), window };
}

function expressionOf(expression: streams.ReadReq.Options.FilterOptions.Expression) {
  const regex = expression.getRegex() ? new RegExp(expression.getRegex()) : null;
  return { regex, prefixes: expression.getPrefixList() };
}
