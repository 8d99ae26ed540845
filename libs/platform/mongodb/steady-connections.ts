import { Connection } from 'mongodb/lib/cmap/connection.js';

const { cleanup } = Connection.prototype;

/**
 * Makes a write that waits for a connection fail when the connection ends. The driver (7.9.0) waits for the socket to
 * drain, and hears of its `error` alone: of a socket that was closed, or that timed out, it hears nothing, and the
 * operation stays for ever, with its place in the pool. The error makes the driver try again, as with any lost connection.
 */
Connection.prototype.cleanup = function (error) {
  const wasOpen = !this.closed;
  cleanup.call(this, error);
  if (wasOpen) this.socket.emit('error', error);
};
