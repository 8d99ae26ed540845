import type { FastifyReply } from 'fastify';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** Gives the handler time to send its last event before the connection is cut. */
const CUT_DELAY_MS = 0.5 * SECOND_MS;

/** nginx would otherwise buffer 4 or 8 KiB before it sends anything. */
const UNBUFFERED = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

export function startLiveStream(reply: FastifyReply, stop: AbortSignal): void {
  void reply.type('text/event-stream').headers(UNBUFFERED);
  const { raw } = reply;
  const cut = () => setTimeout(() => raw.destroy(), CUT_DELAY_MS).unref();
  if (stop.aborted) cut();
  stop.addEventListener('abort', cut, { once: true });
  raw.once('close', () => stop.removeEventListener('abort', cut));
}
