import type { FastifyReply } from 'fastify';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { findInnerDisconnectSignal } from './inner-request.js';

/** Gives the handler time to send its last event before the connection is cut. */
const CUT_DELAY_MS = 0.5 * SECOND_MS;

/** Node's streams, Fastify and this service all watch a live stream for its end: some more than Node's limit of 10. */
const LISTENERS_MAX = 20;

/** nginx would otherwise buffer 4 or 8 KiB before it sends anything. */
const UNBUFFERED = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

export function startLiveStream(reply: FastifyReply, stop: AbortSignal): void {
  void reply.type('text/event-stream').headers(UNBUFFERED);
  const raw = reply.raw.setMaxListeners(LISTENERS_MAX);
  const cut = () => setTimeout(() => raw.destroy(), CUT_DELAY_MS).unref();
  if (stop.aborted) cut();
  stop.addEventListener('abort', cut, { once: true });
  raw.once('close', () => stop.removeEventListener('abort', cut));
}

/**
 * Aborts when the connection closes before the response is sent. A pipelined response gets no close event before its
 * turn, so this also watches the socket.
 */
export function getDisconnectSignal({ raw, request }: FastifyReply): AbortSignal {
  const innerSignal = findInnerDisconnectSignal(request);
  if (innerSignal) return innerSignal;
  const controller = new AbortController();
  const { socket } = request.raw;
  const abort = () => controller.abort();
  // A paused socket does not report its close, so cut it: this client has pipelined too many requests.
  const cut = () => socket.destroy();
  if (raw.destroyed || socket.destroyed) abort();
  else {
    socket.once('close', abort).once('pause', cut);
    raw.once('close', () => {
      socket.off('close', abort).off('pause', cut);
      if (!raw.writableFinished) abort();
    });
    if (socket.isPaused()) cut();
  }
  return controller.signal;
}

export function getDisconnectOrStopSignal(reply: FastifyReply, stop: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const disconnect = getDisconnectSignal(reply);
  if (disconnect.aborted || stop.aborted) abort();
  disconnect.addEventListener('abort', abort, { once: true });
  stop.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => stop.removeEventListener('abort', abort));
  return controller.signal;
}

export class ShutdownSignal {
  constructor(readonly signal: AbortSignal) {}
}
