import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { readHeader, sendPinned } from './pinned-request.js';
import { FetchFailure } from './failure.js';

/** `digest`: sha256 of the received body, lower-case hex. */
export interface FetchedContent {
  readonly ok: true;
  readonly digest: string;
  readonly bytes: number;
  /** Cut to 200 characters. */
  readonly contentType: string | null;
  readonly url: string;
  readonly body?: Buffer;
}

export interface HopSettings {
  readonly bytesMax: number;
  readonly keepBytesMax: number;
  readonly accept: string;
  readonly userAgent: string;
  /** Throws once the daily limit is reached. `0` bytes only check. */
  readonly countBytes: (bytes: number) => void;
  readonly ca: string | undefined;
}

export interface Redirect {
  readonly location: string;
}

const FRAMING_BYTES_MAX = 1024 * 1024;
const CONTENT_TYPE_LENGTH_MAX = 200;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function requestHop(url: URL, addresses: readonly string[], signal: AbortSignal, settings: HopSettings) {
  const { accept, userAgent, bytesMax, ca } = settings;
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': userAgent };
  const request = { method: 'GET', headers, signal, receivedBytesMax: 2 * bytesMax + FRAMING_BYTES_MAX, ca } as const;
  return sendPinned<FetchedContent | Redirect>(url, addresses, request, response =>
    REDIRECTS.has(response.statusCode) ? readRedirect(response) : readContent(url, response, settings),
  );
}

function readRedirect(response: Dispatcher.ResponseData): Redirect {
  const location = readHeader(response, 'location');
  if (location === null) throw new FetchFailure('bad_redirect', response.statusCode);
  return { location };
}

async function readContent(
  url: URL,
  response: Dispatcher.ResponseData,
  settings: HopSettings,
): Promise<FetchedContent> {
  if (response.statusCode !== 200) throw new FetchFailure('status', response.statusCode);
  if (Number(readHeader(response, 'content-length') ?? 0) > settings.bytesMax) throw new FetchFailure('too_large');
  const contentType = readHeader(response, 'content-type')?.slice(0, CONTENT_TYPE_LENGTH_MAX) ?? null;
  return { ok: true, ...(await readBody(response.body, settings)), contentType, url: url.href };
}

async function readBody(body: AsyncIterable<Buffer>, { bytesMax, keepBytesMax, countBytes }: HopSettings) {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    countBytes(chunk.length);
    if (bytes > bytesMax) throw new FetchFailure('too_large');
    hash.update(chunk);
    if (bytes <= keepBytesMax) chunks.push(chunk);
    else chunks.length = 0;
  }
  const content = keepBytesMax > 0 && bytes <= keepBytesMax ? { body: Buffer.concat(chunks) } : {};
  return { digest: hash.digest('hex'), bytes, ...content };
}
