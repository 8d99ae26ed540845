const BYTES_PER_MIB = 1024 * 1024;

/** What a server under test says of itself. This file imports nothing: its memory is the server's. */
export interface ReadyMessage {
  readonly port: number;
  /** Addresses of the development chain's nodes, by the rails' short names. */
  readonly rpc?: { readonly [short: string]: string };
}

/**
 * Of a server that is ready: it tells its port, how much memory it has whenever it is asked, and ends with its parent.
 * One that ends by itself when it is told to has nothing to stop.
 */
export function announceReady(ready: ReadyMessage, stop?: () => Promise<unknown>): void {
  process.on('message', () => process.send!(process.memoryUsage.rss() / BYTES_PER_MIB));
  if (stop) process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.on('disconnect', () => process.exit(1));
  process.send!(ready);
}
