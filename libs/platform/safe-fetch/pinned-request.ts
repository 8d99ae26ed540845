import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { FetchFailure } from './failure.js';
import { pinnedLookup } from './address.js';

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_BYTES_MAX = 16 * 1024;

/** Closes a finished connection. Otherwise undici would create an error with a stack for each. */
const CONNECTION_DONE = new FetchFailure('closed');

interface PinnedRequest extends Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'> {
  readonly signal: AbortSignal;
  readonly receivedBytesMax: number;
  readonly ca: string | undefined;
}

/** Sends a request to the checked addresses, and closes the connection once `read` has what it needs. */
export async function sendPinned<T>(
  url: URL,
  addresses: readonly string[],
  { receivedBytesMax, ca, ...request }: PinnedRequest,
  read: (response: Dispatcher.ResponseData) => T | Promise<T>,
): Promise<T> {
  const { buildConnector, Client } = await import('undici');
  const connector = buildConnector({ lookup: pinnedLookup(addresses), timeout: CONNECT_TIMEOUT_MS, ...(ca && { ca }) });
  // The signal ends slow responses, but not a connection attempt, which has its own timeout.
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: HEADERS_BYTES_MAX };
  const client = new Client(url.origin, { connect: limitReceivedBytes(connector, receivedBytesMax), ...options });
  try {
    const response = await client.request({ path: url.pathname + url.search, ...request });
    response.body.on('error', () => undefined);
    return await read(response);
  } finally {
    await client.destroy(CONNECTION_DONE);
  }
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
