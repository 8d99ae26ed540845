import type { Socket } from 'node:net';

/**
 * Breaks a connection. A defect of Node.js 20: a socket that is just being ended is not reset, and never closed any
 * more, and a process with such a socket does not end either. It is closed like any other.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
