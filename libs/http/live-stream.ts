import type { FastifyReply } from 'fastify';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** How long a reader may take for the rest of a stream once the service stops. */
const REST_MS = 0.5 * SECOND_MS;

/** nginx would otherwise collect 4 KiB or 8 KiB before it passes anything on. */
const UNBUFFERED = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** Prepares the answer for a `text/event-stream` without an end; a reader that does not read cannot hold up the stop. */
export function startLiveStream(reply: FastifyReply, stop: AbortSignal): void {
  void reply.type('text/event-stream').headers(UNBUFFERED);
  const { raw } = reply;
  const cut = () => setTimeout(() => raw.destroy(), REST_MS).unref();
  if (stop.aborted) cut();
  stop.addEventListener('abort', cut, { once: true });
  raw.once('close', () => stop.removeEventListener('abort', cut));
}
