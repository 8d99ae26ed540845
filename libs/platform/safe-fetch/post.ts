import { createPinnedClient, CONNECTION_DONE, readHeader } from './pinned-client.js';

export interface PostMessage {
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  readonly timeoutMs: number;
}

/** Head of a response. Its body is not read and redirects are not followed. */
export interface PostResponse {
  readonly ok: true;
  readonly status: number;
  readonly retryAfter: string | null;
}

const RECEIVED_BYTES_MAX = 256 * 1024;

export async function post(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  { message, ca }: { readonly message: PostMessage; readonly ca: string | undefined },
): Promise<PostResponse> {
  const client = await createPinnedClient(url, addresses, RECEIVED_BYTES_MAX, ca);
  try {
    const { body, headers } = message;
    const response = await client.request({ method: 'POST', path: url.pathname + url.search, headers, body, signal });
    response.body.on('error', () => undefined);
    return { ok: true, status: response.statusCode, retryAfter: readHeader(response, 'retry-after') };
  } finally {
    await client.destroy(CONNECTION_DONE);
  }
}
