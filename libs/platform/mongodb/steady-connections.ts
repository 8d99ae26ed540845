import { Connection } from 'mongodb/lib/cmap/connection.js';

const { cleanup } = Connection.prototype;

/**
 * Fails writes that wait for a closed connection. Driver 7.9.0 reacts only to `error` while a socket drains, so such
 * operations would wait forever. The error makes the driver retry.
 */
Connection.prototype.cleanup = function (error) {
  const wasOpen = !this.closed;
  cleanup.call(this, error);
  if (wasOpen) this.socket.emit('error', error);
};
