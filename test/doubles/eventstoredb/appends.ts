import { status, type sendUnaryData, type ServerDuplexStream, type ServerReadableStream } from '@grpc/grpc-js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata } from '@grpc/grpc-js';
import type { Expected, Memory, NewRecord, AppendOutcome } from './memory.js';
import {
  appendAnswer,
  batchAnswer,
  expectedOf,
  nameOf,
  denied,
  notReady,
  proposed,
  wrongVersionAnswer,
} from './messages.js';
import type { WireFaults } from './wire-faults.js';

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

interface Batch {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: NewRecord[];
}

/** `BatchAppend`: one call for all appends of a client; a batch is written with its last part. */
export function batchAppend(memory: Memory, faults: WireFaults, cut: () => void) {
  return (call: BatchCall) => {
    const batches = new Map<string, Batch>();
    call.on('error', () => undefined);
    call.on('end', () => call.end());
    call.on('data', (request: streams.BatchAppendReq) => {
      const batch = collect(batches, request);
      if (batch) answer(call, request, batch);
    });
  };

  function answer(call: BatchCall, request: streams.BatchAppendReq, { stream, expected, events }: Batch): void {
    const id = request.getCorrelationId()!;
    const fault = faults.next('append');
    if (fault === 'dropped') return;
    if (fault === 'not-ready') return void call.write(notReady(id, stream));
    if (fault === 'denied') return void call.write(denied(id, stream));
    if (fault === 'unauthenticated')
      return void call.emit('error', { code: status.UNAUTHENTICATED, details: 'Invalid' });
    const outcome = memory.append(stream, expected, events);
    if (fault === 'unanswered') return;
    if (fault === 'cut') return cut();
    const send = () => void call.write(batchAnswer(id, stream, outcome));
    if (fault) setTimeout(send, fault.delayMs).unref();
    else send();
  }
}

function collect(batches: Map<string, Batch>, request: streams.BatchAppendReq): Batch | undefined {
  const id = request.getCorrelationId()!.getString();
  const options = request.getOptions();
  if (options) {
    batches.set(id, { stream: nameOf(options.getStreamIdentifier()), expected: expectedOf(options), events: [] });
  }
  const batch = batches.get(id)!;
  batch.events.push(...request.getProposedMessagesList().map(proposed));
  if (!request.getIsFinal()) return undefined;
  batches.delete(id);
  return batch;
}

/** `Append`: one call per append, used by clients that send credentials with the call. */
export function append(memory: Memory, faults: WireFaults) {
  return (call: AppendCall, callback: sendUnaryData<streams.AppendResp>) => {
    let options: streams.AppendReq.Options | undefined;
    const events: NewRecord[] = [];
    call.on('data', (request: streams.AppendReq) => {
      if (request.hasOptions()) options = request.getOptions();
      else events.push(proposed(request.getProposedMessage()!));
    });
    call.on('end', () => {
      if (faults.next('append') === 'dropped') return;
      const stream = nameOf(options!.getStreamIdentifier());
      finish(memory.append(stream, expectedOf(options!), events), stream, callback);
    });
  };
}

function finish(outcome: AppendOutcome, stream: string, callback: sendUnaryData<streams.AppendResp>): void {
  if (outcome.kind === 'written') return callback(null, appendAnswer(outcome));
  if (outcome.kind === 'wrong-version') return callback(null, wrongVersionAnswer(outcome.current));
  const metadata = new Metadata();
  metadata.set('exception', outcome.kind === 'deleted' ? 'stream-deleted' : 'maximum-append-size-exceeded');
  metadata.set('stream-name', stream);
  callback({ code: status.FAILED_PRECONDITION, details: outcome.kind, metadata });
}
