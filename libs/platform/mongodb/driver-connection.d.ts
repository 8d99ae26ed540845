/** What is used of a part of the driver that it does not declare. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export class Connection {
    readonly closed: boolean;
    readonly socket: Socket;
    /** Ends the connection, and what waits for its answers; nothing where it has ended. */
    cleanup: (this: Connection, error: Error) => void;
  }
}
