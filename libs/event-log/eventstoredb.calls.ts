import type { EventStoreDBClient } from '@eventstore/db-client';
import { CallTimeout } from './eventstoredb.errors.js';

/** A read or a subscription of the client: a stream of objects above a call that goes on until it is cancelled. */
export interface Cancellable<T> extends AsyncIterable<T> {
  on(event: 'error', listener: () => void): unknown;
  destroy(error?: Error): unknown;
  cancel?(): Promise<void>;
  unsubscribe?(): Promise<void>;
}

const ignoreError = () => undefined;

/**
 * Ends a call. Leaving the loop over it is not enough: the call would stay open, and `dispose` would wait for it. And
 * its errors are emitted whether somebody still listens or not; one without a listener would end the process.
 */
export function endCall(call: Cancellable<unknown>): void {
  call.on('error', ignoreError);
  (call.cancel ? call.cancel() : call.unsubscribe!()).catch(ignoreError);
  call.destroy();
}

/** What a call hands out; `Unanswered` where nothing comes for `waitMs`. Ended with the loop, however that ends. */
export async function* iterateCall<T>(call: Cancellable<T>, waitMs: number | null): AsyncGenerator<T> {
  const isLate = () => void call.destroy(new CallTimeout(waitMs!));
  const timer = waitMs === null ? undefined : setTimeout(isLate, waitMs);
  try {
    for await (const item of call) {
      timer?.refresh();
      yield item;
    }
  } finally {
    clearTimeout(timer);
    endCall(call);
  }
}

interface AppendCall {
  write(message: unknown): boolean;
  listeners(event: 'data'): ((answer: unknown) => void)[];
  removeAllListeners(event: 'data'): void;
  on(event: 'data', listener: (answer: unknown) => void): void;
}

interface ClientInternals {
  GRPCStreamCreator(service: unknown, name: string, creator: CallFactory, cache?: unknown): unknown;
}
type CallFactory = (client: unknown) => Promise<AppendCall> | AppendCall;

/**
 * Two defects of `@eventstore/db-client` 6.2.1 would end the process, and are kept from it here. It keeps the waiting
 * appends of all its clients in one table, which an error of any one clears: an answer that comes afterwards finds
 * nobody and throws inside a listener. And appends that wait for the socket when their call breaks are rejected where
 * nobody can catch it: how many wait is bounded by the adapter, so none has to wait for the socket.
 */
export function patchAppends(client: EventStoreDBClient): EventStoreDBClient {
  const inside = client as unknown as ClientInternals;
  const original = inside.GRPCStreamCreator.bind(inside);
  inside.GRPCStreamCreator = (service, name, creator, cache) =>
    original(
      service,
      name,
      name === 'appendToStream' ? async grpc => patchAppendCall(await creator(grpc)) : creator,
      cache,
    );
  return client;
}

function patchAppendCall(call: AppendCall): AppendCall {
  const write = call.write.bind(call);
  call.write = message => {
    write(message);
    return true;
  };
  const listeners = call.listeners('data');
  call.removeAllListeners('data');
  call.on('data', answer => listeners.forEach(listen => ignoreLateAnswer(() => listen(answer))));
  return call;
}

/** A late answer is worth nothing: its append counts as unanswered, and is repeated. */
function ignoreLateAnswer(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
