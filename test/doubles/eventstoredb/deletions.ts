import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Memory } from './memory.js';
import { nameOf } from './messages.js';

/** `Delete` and `Tombstone`: after the first one a stream can begin again. */
export const deletions = (memory: Memory) => ({
  delete: (call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>, answer: sendUnaryData<streams.DeleteResp>) => {
    memory.delete(nameOf(call.request.getOptions()!.getStreamIdentifier()));
    answer(null, new streams.DeleteResp());
  },
  tombstone: (
    call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
    answer: sendUnaryData<streams.TombstoneResp>,
  ) => {
    memory.tombstone(nameOf(call.request.getOptions()!.getStreamIdentifier()));
    answer(null, new streams.TombstoneResp());
  },
});
