import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { FetchFailure } from './failure.js';
import { pinnedLookup } from './address-resolver.js';

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_BYTES_MAX = 16 * 1024;

/** Ends a connection whose answer is there: undici would make an error of its own for each, with all of its stack. */
export const CONNECTION_DONE = new FetchFailure('closed');

/** One connection to one of the addresses; its first request is the only one. `ca`: PEM of further authorities. */
export async function createPinnedClient(
  url: URL,
  addresses: readonly string[],
  receivedMax: number,
  ca: string | undefined,
) {
  // Loaded with the first delivery that is read: a start need not wait for it.
  const { buildConnector, Client } = await import('undici');
  const connector = buildConnector({ lookup: pinnedLookup(addresses), timeout: CONNECT_TIMEOUT_MS, ...(ca && { ca }) });
  // The signal ends everything, slow drips too; only a socket that is still connecting does not hear it.
  const waits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: HEADERS_BYTES_MAX };
  return new Client(url.origin, { connect: limitReceivedBytes(connector, receivedMax), ...waits });
}

/**
 * Ends a connection over which more than `bytesMax` came, whatever they are: hints without end and extensions of chunks
 * are counted as no part of a body.
 */
function limitReceivedBytes(connector: buildConnector.connector, bytesMax: number): buildConnector.connector {
  const watch = (socket: Socket) =>
    socket.on('readable', () => {
      if (socket.bytesRead > bytesMax) socket.destroy(new FetchFailure('too_large'));
    });
  return (options, callback) =>
    connector(options, (...answer) => {
      if (answer[1]) watch(answer[1]);
      callback(...answer);
    });
}

/** A header of an answer; null where there is none. */
export function readHeader({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
