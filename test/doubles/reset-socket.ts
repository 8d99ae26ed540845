import type { Socket } from 'node:net';

/**
 * Resets a connection. Node.js 20 never closes a socket that is reset while it is ending, so such a socket is
 * destroyed.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
