import type { FastifyReply } from 'fastify';
import { findInnerDisconnectSignal } from './inner-request.js';

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
