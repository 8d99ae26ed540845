import { prefersStream, STREAM } from '#libs/http/accept.js';

/** The SDK requires both types in `accept`; hosted proxies and simple clients send only one. */
export const ACCEPT_BOTH = `application/json, ${STREAM}`;

const STREAM_HEADERS = {
  'content-type': STREAM,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Sends a result as one server-sent event to a caller that prefers events to JSON. */
export async function formatResponse(accept: string | undefined, answer: Response): Promise<Response> {
  const isResult = answer.status === 200 && answer.headers.get('content-type') === 'application/json';
  if (!isResult || !prefersStream(accept)) return answer;
  return new Response(`event: message\ndata: ${await answer.text()}\n\n`, { headers: STREAM_HEADERS });
}
