import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { FetchFailure } from './failure.js';
import { pinnedLookup } from './address.js';

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_BYTES_MAX = 16 * 1024;

/** Closes a finished connection. Otherwise undici would create an error with a stack for each. */
export const CONNECTION_DONE = new FetchFailure('closed');

export async function createPinnedClient(
  url: URL,
  addresses: readonly string[],
  receivedMax: number,
  ca: string | undefined,
) {
  const { buildConnector, Client } = await import('undici');
  const connector = buildConnector({ lookup: pinnedLookup(addresses), timeout: CONNECT_TIMEOUT_MS, ...(ca && { ca }) });
  // The signal ends slow responses, but not a connection attempt, which has its own timeout.
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: HEADERS_BYTES_MAX };
  return new Client(url.origin, { connect: limitReceivedBytes(connector, receivedMax), ...options });
}

/**
 * Ends a connection after `bytesMax` of any kind, because endless hints and chunk extensions are not counted as body.
 */
function limitReceivedBytes(connector: buildConnector.connector, bytesMax: number): buildConnector.connector {
  const watch = (socket: Socket) =>
    socket.on('readable', () => {
      if (socket.bytesRead > bytesMax) socket.destroy(new FetchFailure('too_large'));
    });
  return (options, callback) =>
    connector(options, (...result) => {
      if (result[1]) watch(result[1]);
      callback(...result);
    });
}

export function readHeader({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
