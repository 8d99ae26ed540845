import type { FastifyReply } from 'fastify';
import { findInnerDisconnectSignal } from './inner-request.js';

/**
 * Aborts when the connection closes before the response is sent. A pipelined response gets no close event before its
 * turn, so this also watches the socket.
 */
export function getDisconnectSignal({ raw, request }: FastifyReply): AbortSignal {
  const within = findInnerDisconnectSignal(request);
  if (within) return within;
  const going = new AbortController();
  const { socket } = request.raw;
  const go = () => going.abort();
  // A paused socket does not report its close, so cut it: this client has pipelined too many requests.
  const cut = () => socket.destroy();
  if (raw.destroyed || socket.destroyed) go();
  else {
    socket.once('close', go).once('pause', cut);
    raw.once('close', () => {
      socket.off('close', go).off('pause', cut);
      if (!raw.writableFinished) go();
    });
    if (socket.isPaused()) cut();
  }
  return going.signal;
}

export function getDisconnectOrStopSignal(reply: FastifyReply, stop: AbortSignal): AbortSignal {
  const ending = new AbortController();
  const end = () => ending.abort();
  const gone = getDisconnectSignal(reply);
  if (gone.aborted || stop.aborted) end();
  gone.addEventListener('abort', end, { once: true });
  stop.addEventListener('abort', end, { once: true });
  reply.raw.once('close', () => stop.removeEventListener('abort', end));
  return ending.signal;
}
