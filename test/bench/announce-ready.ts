const BYTES_PER_MIB = 1024 * 1024;
const MICROS_PER_MS = 1_000;

export interface ResourceUse {
  /** Resident memory, shared pages included. */
  readonly rssMiB: number;
  /** Processor time of all threads since the start. */
  readonly processorMs: number;
}

/** Message of a server under test. No imports here: they would count as the server's memory. */
export interface ReadyMessage {
  readonly port: number;
  /** Addresses of development chain nodes by short rail name. */
  readonly rpc?: { readonly [short: string]: string };
}

/** Sends the port, reports its resources on request, and exits with the parent; without `stop` the server handles SIGTERM. */
export function announceReady(ready: ReadyMessage, stop?: () => Promise<unknown>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const rssMiB = process.memoryUsage.rss() / BYTES_PER_MIB;
    process.send!({ rssMiB, processorMs: (user + system) / MICROS_PER_MS } satisfies ResourceUse);
  });
  if (stop) process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.on('disconnect', () => process.exit(1));
  process.send!(ready);
}
