import { Metadata, status, type ServerWritableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { kindOf } from './call-counts.js';
import type { Memory, Record } from './memory.js';
import { eventAnswer, nameOf, notFoundAnswer } from './messages.js';
import { type ServerVersion, subscribe } from './subscriptions.js';
import type { WireFaults } from './wire-faults.js';

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type Options = streams.ReadReq.Options;

/** `Read`: a stream or `$all`, in both directions, and subscriptions to `$all`. */
export function read(memory: Memory, faults: WireFaults, live: Set<ReadCall>, version: ServerVersion) {
  return (call: ReadCall) => {
    const options = call.request.getOptions()!;
    const fault = faults.next(kindOf(options));
    call.on('error', () => undefined);
    live.add(call);
    for (const ending of ['close', 'cancelled', 'finish']) call.on(ending, () => live.delete(call));
    if (fault === 'dropped' || fault === 'unanswered' || fault === 'cut') return;
    if (fault === 'denied') return failWith(call, 'access-denied', status.PERMISSION_DENIED);
    if (fault === 'unauthenticated') return fail(call, status.UNAUTHENTICATED, 'Invalid credentials.');
    if (fault === 'not-ready') return fail(call, status.UNAVAILABLE, 'Server Is Not Ready');
    const start = () =>
      options.hasSubscription() ? subscribe(memory, faults, call, options, version) : void answer(call, options);
    if (isNegative(options)) return fail(call, status.UNKNOWN, FAILED);
    if (fault) setTimeout(start, fault.delayMs).unref();
    else start();
  };

  async function answer(call: ReadCall, options: Options): Promise<void> {
    const count = Number(options.getCount());
    const stream = options.getStream();
    const isBackwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
    const isPastEnd = stream?.hasEnd() && !isBackwards;
    if (count === 0 || isPastEnd) return fail(call, status.UNKNOWN, FAILED);
    const name = stream && nameOf(stream.getStreamIdentifier());
    if (name !== undefined && memory.isTombstone(name))
      return failWith(call, 'stream-deleted', status.FAILED_PRECONDITION, { 'stream-name': name });
    if (!stream && isWithinRecord(memory, options.getAll()!))
      return fail(call, status.UNKNOWN, WITHIN_RECORD_MESSAGES[version]);
    const records = stream ? ofStream(memory, stream, isBackwards) : ofAll(memory, options.getAll()!, isBackwards);
    if (!records) call.write(notFoundAnswer(nameOf(stream!.getStreamIdentifier())));
    for (const record of take(records ?? [], count, isBackwards)) if (!(await sendRecord(call, record))) return;
    call.end();
  }
}

/** Sends an event with backpressure; returns whether the client wants more. */
export async function sendRecord(call: ReadCall, record: Record): Promise<boolean> {
  if (call.cancelled || call.destroyed) return false;
  if (call.write(eventAnswer(record))) return true;
  return new Promise(resolve => {
    const events = ['drain', 'cancelled', 'close'];
    const goOn = () => {
      for (const event of events) call.off(event, goOn);
      resolve(!call.cancelled && !call.destroyed);
    };
    for (const event of events) call.on(event, goOn);
  });
}

export function fail(call: ReadCall, code: status, details: string): void {
  call.emit('error', { code, details, name: 'Error', message: details });
}

function failWith(call: ReadCall, exception: string, code: status, details: { readonly [name: string]: string } = {}) {
  const metadata = new Metadata();
  metadata.set('exception', exception);
  for (const [name, value] of Object.entries(details)) metadata.set(name, value);
  call.emit('error', { code, details: exception, metadata });
}

function ofStream(memory: Memory, options: streams.ReadReq.Options.StreamOptions, isBackwards: boolean) {
  const records = memory.visible(nameOf(options.getStreamIdentifier()));
  if (!records || options.hasStart() || options.hasEnd()) return records;
  const at = Math.max(0, Number(options.getRevision()) - (records[0]?.revision ?? 0));
  return isBackwards ? records.slice(0, at + 1) : records.slice(at);
}

const FAILED = 'Exception was thrown by handler.';
const SIGNED_MAX = 2n ** 63n - 1n;

/** As -1, the largest position names the end of the log. */
const END = 2n ** 64n - 1n;

/** Tells whether a position overflows the signed 64 bits of the server. */
function isNegative(options: Options): boolean {
  const commit = BigInt(options.getAll()?.getPosition()?.getCommitPosition() ?? 0);
  return commit > SIGNED_MAX && commit !== END;
}

const WITHIN_RECORD_MESSAGES: { readonly [version in ServerVersion]: string } = {
  '23.10.8': 'Unexpected ReadAllResult: Error',
  '24.6.0': 'Trying to read from an invalid position.',
};

function isWithinRecord({ records }: Memory, options: streams.ReadReq.Options.AllOptions): boolean {
  const commit = BigInt(options.getPosition()?.getCommitPosition() ?? 0);
  const last = records.at(-1);
  if (!last || commit <= 0n || commit > last.commit) return false;
  return records[indexBehind(records, commit) - 1]?.commit !== commit;
}

/** Forwards includes the record at the position; backwards starts before it. */
function ofAll(memory: Memory, options: streams.ReadReq.Options.AllOptions, isBackwards: boolean) {
  const position = options.getPosition();
  if (!position) return options.hasEnd() !== isBackwards ? [] : memory.records;
  const index = indexBehind(memory.records, BigInt(position.getCommitPosition()) - 1n);
  return isBackwards ? memory.records.slice(0, index) : memory.records.slice(index);
}

function* take(records: readonly Record[], count: number, isBackwards: boolean): Generator<Record> {
  const many = Math.min(count, records.length);
  for (let at = 0; at < many; at += 1) yield records[isBackwards ? records.length - 1 - at : at]!;
}

export function indexBehind(records: readonly Record[], commit: bigint): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.commit > commit) high = middle;
    else low = middle + 1;
  }
  return low;
}
