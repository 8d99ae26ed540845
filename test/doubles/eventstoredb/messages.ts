import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected, NewRecord, AppendOutcome, Record } from './memory.js';
import { APPEND_BYTES_MAX } from './memory.js';

export type BatchAnswer = InstanceType<typeof streams.BatchAppendResp>;
export type ReadAnswer = InstanceType<typeof streams.ReadResp>;
type BatchOptions = InstanceType<typeof streams.BatchAppendReq.Options>;
type Proposed = InstanceType<typeof streams.BatchAppendReq.ProposedMessage>;
type AppendOptions = InstanceType<typeof streams.AppendReq.Options>;

export const nameOf = (id: InstanceType<typeof shared.StreamIdentifier> | undefined) =>
  Buffer.from(id!.getStreamName_asU8()).toString('utf8');

function identifier(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(stream, 'utf8')));
}

export function proposed(message: Pick<Proposed, keyof Proposed & ('getId' | 'getMetadataMap')> & Contents): NewRecord {
  const fields = message.getMetadataMap();
  return {
    id: message.getId()!.getString().toLowerCase(),
    type: fields.get('type')!,
    contentType: fields.get('content-type')!,
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}
interface Contents {
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

export function expectedOf(options: BatchOptions | AppendOptions): Expected {
  if (options.hasNoStream()) return 'none';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'exists';
  return Number('getStreamPosition' in options ? options.getStreamPosition() : options.getRevision());
}

export function batchAnswer(correlation: InstanceType<typeof shared.UUID>, stream: string, outcome: AppendOutcome) {
  const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifier(stream));
  if (outcome.kind !== 'written' && outcome.kind !== 'nothing') return answer.setError(failure(stream, outcome));
  const success = new streams.BatchAppendResp.Success();
  if (outcome.kind === 'nothing') return answer.setSuccess(success.setNoStream(new empty.Empty()));
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(`${outcome.commit}`).setPreparePosition(`${outcome.commit}`);
  return answer.setSuccess(success.setCurrentRevision(`${outcome.revision}`).setPosition(position));
}

/** "Server Is Not Ready", which the client turns into an `UnknownError` without a code. */
export function notReady(correlation: InstanceType<typeof shared.UUID>, stream: string) {
  const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifier(stream));
  return answer.setError(error('google.protobuf.Empty', new empty.Empty(), 'Server Is Not Ready'));
}

export function denied(correlation: InstanceType<typeof shared.UUID>, stream: string) {
  const answer = new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(identifier(stream));
  return answer.setError(error('event_store.client.AccessDenied', new shared.AccessDenied()));
}

type Failed = Exclude<AppendOutcome, { kind: 'written' | 'nothing' }>;

function failure(stream: string, outcome: Failed) {
  if (outcome.kind === 'deleted') {
    return error(
      'event_store.client.StreamDeleted',
      new shared.StreamDeleted().setStreamIdentifier(identifier(stream)),
    );
  }
  if (outcome.kind === 'too-large') {
    const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(APPEND_BYTES_MAX);
    return error('event_store.client.MaximumAppendSizeExceeded', details);
  }
  const details = new shared.WrongExpectedVersion();
  if (outcome.current < 0) details.setCurrentNoStream(new empty.Empty());
  else details.setCurrentStreamRevision(`${outcome.current}`);
  return error('event_store.client.WrongExpectedVersion', details);
}

function error(type: string, details: { serializeBinary(): Uint8Array }, message = '') {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), type);
  return new status.Status().setCode(code.Code.UNKNOWN).setMessage(message).setDetails(packed);
}

export function appendAnswer({ revision, commit }: Extract<AppendOutcome, { kind: 'written' }>) {
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(`${commit}`).setPreparePosition(`${commit}`);
  const success = new streams.AppendResp.Success().setCurrentRevision(`${revision}`).setPosition(position);
  return new streams.AppendResp().setSuccess(success);
}

export function wrongVersionAnswer(current: number) {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(`${current}`);
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

export function eventAnswer(record: Record): ReadAnswer {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(new shared.UUID().setString(record.id)).setStreamIdentifier(identifier(record.stream));
  recorded.setStreamRevision(`${record.revision}`).setData(record.data).setCustomMetadata(record.metadata);
  recorded.setCommitPosition(`${record.commit}`).setPreparePosition(`${record.commit}`);
  recorded.getMetadataMap().set('type', record.type).set('content-type', record.contentType);
  recorded.getMetadataMap().set('created', `${BigInt(record.createdMs) * 10_000n}`);
  const event = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(`${record.commit}`);
  return new streams.ReadResp().setEvent(event);
}

export const notFoundAnswer = (stream: string): ReadAnswer =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream)),
  );

export const confirmedAnswer = (): ReadAnswer =>
  new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID()),
  );

export const caughtUpAnswer = (): ReadAnswer => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

/** `matched`: whether the last scanned record was sent; otherwise `prepare` is 0. */
export function checkpointAnswer(commit: bigint, matched: boolean): ReadAnswer {
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(`${commit}`);
  return new streams.ReadResp().setCheckpoint(checkpoint.setPreparePosition(matched ? `${commit}` : '0'));
}
