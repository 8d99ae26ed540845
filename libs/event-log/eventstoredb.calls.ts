import type { EventStoreDBClient } from '@eventstore/db-client';
import { CallTimeout } from './eventstoredb.errors.js';

export interface Cancellable<T> extends AsyncIterable<T> {
  on(event: 'error', listener: () => void): unknown;
  destroy(error?: Error): unknown;
  cancel?(): Promise<void>;
  unsubscribe?(): Promise<void>;
}

const ignoreError = () => undefined;

/**
 * Ends a call, which stays open after its loop: `dispose` would wait for it, and an error without a listener would end
 * the process.
 */
export function endCall(call: Cancellable<unknown>): void {
  call.on('error', ignoreError);
  (call.cancel ? call.cancel() : call.unsubscribe!()).catch(ignoreError);
  call.destroy();
}

export async function* iterateCall<T>(call: Cancellable<T>, waitMs: number | null): AsyncGenerator<T> {
  const onTimeout = () => void call.destroy(new CallTimeout(waitMs!));
  const timer = waitMs === null ? undefined : setTimeout(onTimeout, waitMs);
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
 * Works around two crashes of `@eventstore/db-client` 6.2.1: a response to an append whose entry an error has removed
 * throws in a listener, and appends waiting for the socket reject unhandled when the call breaks.
 */
export function patchAppends(client: EventStoreDBClient): EventStoreDBClient {
  const internals = client as unknown as ClientInternals;
  const original = internals.GRPCStreamCreator.bind(internals);
  internals.GRPCStreamCreator = (service, name, creator, cache) =>
    original(
      service,
      name,
      name === 'appendToStream' ? async grpc => patchAppendCall(await creator(grpc)) : creator,
      cache,
    );
  return client;
}

function patchAppendCall(call: AppendCall): AppendCall {
  const originalWrite = call.write.bind(call);
  call.write = message => {
    originalWrite(message);
    // Never wait for the socket: `APPENDS_MAX` bounds the queue.
    return true;
  };
  const listeners = call.listeners('data');
  call.removeAllListeners('data');
  call.on('data', answer => listeners.forEach(listen => ignoreLateAnswer(() => listen(answer))));
  return call;
}

function ignoreLateAnswer(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
