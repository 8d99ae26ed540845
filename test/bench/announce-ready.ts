const BYTES_PER_MIB = 1024 * 1024;

/** Message of a server under test. No imports here: they would count as the server's memory. */
export interface ReadyMessage {
  readonly port: number;
  /** Addresses of development chain nodes by short rail name. */
  readonly rpc?: { readonly [short: string]: string };
}

/** Sends the port, reports memory on request, and exits with the parent; without `stop` the server handles SIGTERM. */
export function announceReady(ready: ReadyMessage, stop?: () => Promise<unknown>): void {
  process.on('message', () => process.send!(process.memoryUsage.rss() / BYTES_PER_MIB));
  if (stop) process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.on('disconnect', () => process.exit(1));
  process.send!(ready);
}
