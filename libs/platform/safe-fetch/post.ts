import { createPinnedClient, CONNECTION_DONE, readHeader } from './pinned-client.js';

/** What is sent to an address that a stranger has named. */
export interface PostMessage {
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  /** From the resolving of the name to the head of the answer. */
  readonly timeoutMs: number;
}

/** The head of an answer, whatever its status: what stands below it is not read, and nothing is followed. */
export interface PostResponse {
  readonly ok: true;
  readonly status: number;
  /** The header as sent; null where there was none. */
  readonly retryAfter: string | null;
}

/** How much may come before the body of an answer. */
const RECEIVED_BYTES_MAX = 256 * 1024;

/** One POST to one of the addresses that were checked, on a connection of its own. */
export async function post(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  { message, ca }: { readonly message: PostMessage; readonly ca: string | undefined },
): Promise<PostResponse> {
  const client = await createPinnedClient(url, addresses, RECEIVED_BYTES_MAX, ca);
  try {
    const { body, headers } = message;
    const answer = await client.request({ method: 'POST', path: url.pathname + url.search, headers, body, signal });
    answer.body.on('error', () => undefined);
    return { ok: true, status: answer.statusCode, retryAfter: readHeader(answer, 'retry-after') };
  } finally {
    await client.destroy(CONNECTION_DONE);
  }
}
