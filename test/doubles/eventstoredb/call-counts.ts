import streams from '@eventstore/db-client/generated/streams_pb.js';

/** What a server is asked for: appends, reads of one stream, of the whole log either way, and subscriptions begun. */
export interface CallCounts {
  append: number;
  stream: number;
  forwards: number;
  backwards: number;
  subscription: number;
}

export type CallKind = keyof CallCounts;

export const noCalls = (): CallCounts => ({ append: 0, stream: 0, forwards: 0, backwards: 0, subscription: 0 });

/** What kind of call a read is. */
export function kindOf(options: streams.ReadReq.Options): CallKind {
  if (options.hasSubscription()) return 'subscription';
  if (options.hasStream()) return 'stream';
  return options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS ? 'backwards' : 'forwards';
}

/** What came from one count to a later one. */
export const callsBetween = (before: CallCounts, after: CallCounts): CallCounts => ({
  append: after.append - before.append,
  stream: after.stream - before.stream,
  forwards: after.forwards - before.forwards,
  backwards: after.backwards - before.backwards,
  subscription: after.subscription - before.subscription,
});
