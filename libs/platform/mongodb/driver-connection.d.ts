declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export class Connection {
    readonly closed: boolean;
    readonly socket: Socket;
    cleanup: (this: Connection, error: Error) => void;
  }
}
