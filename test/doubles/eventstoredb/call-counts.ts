import streams from '@eventstore/db-client/generated/streams_pb.js';

/** Calls to a server, by kind. */
export interface CallCounts {
  append: number;
  stream: number;
  forwards: number;
  backwards: number;
  subscription: number;
}

export type CallKind = keyof CallCounts;

export const noCalls = (): CallCounts => ({ append: 0, stream: 0, forwards: 0, backwards: 0, subscription: 0 });

export function kindOf(options: streams.ReadReq.Options): CallKind {
  if (options.hasSubscription()) return 'subscription';
  if (options.hasStream()) return 'stream';
  return options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS ? 'backwards' : 'forwards';
}

export const callsBetween = (before: CallCounts, after: CallCounts): CallCounts => ({
  append: after.append - before.append,
  stream: after.stream - before.stream,
  forwards: after.forwards - before.forwards,
  backwards: after.backwards - before.backwards,
  subscription: after.subscription - before.subscription,
});
