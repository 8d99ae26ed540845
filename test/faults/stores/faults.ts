import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from './deployment.js';
import { Random } from './random.js';
import type { TcpProxy } from './tcp-proxy.js';

const BETWEEN_MS = { least: 400, most: 1_800 };
const DOWN_MS = { least: 300, most: 2_500 };
const STALLED_MS = { least: 1_000, most: 4_000 };

interface Fault {
  readonly name: string;
  readonly happen: () => Promise<unknown> | void;
}

/**
 * Causes faults of stores and of processes in parallel until the time is over and each happened once, then repairs all.
 * Returns what happened with the time in ms.
 */
export async function wreak(deployment: Deployment, seed: number, durationMs: number): Promise<string[]> {
  const from = Date.now();
  const notes: string[] = [];
  const run = async (random: Random, faults: readonly Fault[]) => {
    let done = 0;
    for (const { name, happen } of random.rounds(faults)) {
      await pause(random.between(BETWEEN_MS.least, BETWEEN_MS.most));
      const passedMs = Date.now() - from;
      if (passedMs > durationMs && done >= faults.length) return;
      notes.push(`${passedMs} ${name}`);
      await happen();
      done += 1;
    }
  };
  const [stores, processes] = [new Random(seed), new Random(seed + 1)];
  await Promise.all([run(stores, ofStores(deployment, stores)), run(processes, ofProcesses(deployment, processes))]);
  return notes;
}

function ofStores(deployment: Deployment, random: Random): Fault[] {
  const { events, documents, mongodb } = deployment.stores;
  const down = () => random.between(DOWN_MS.least, DOWN_MS.most);
  const killed = { name: 'MongoDB is killed and started', happen: () => deployment.restartMongodb(down()) };
  return [
    ...ofConnections('the event log', events, random),
    ...ofConnections('the documents', documents, random),
    { name: 'EventStoreDB stops and starts', happen: () => deployment.restartEventStore(down()) },
    ...(mongodb ? [killed] : []),
  ];
}

function ofConnections(what: string, proxy: TcpProxy, random: Random): Fault[] {
  const lasting = async (begin: () => void, { least, most }: typeof DOWN_MS) => {
    begin();
    await pause(random.between(least, most));
    proxy.open();
  };
  return [
    { name: `connections to ${what} are cut`, happen: () => proxy.cut() },
    { name: `${what} cannot be reached`, happen: () => lasting(() => proxy.refuse(), DOWN_MS) },
    { name: `${what} stalls`, happen: () => lasting(() => proxy.stall(), STALLED_MS) },
  ];
}

function ofProcesses(deployment: Deployment, random: Random): Fault[] {
  return [
    { name: 'a projector is killed', happen: () => deployment.replaceProjector() },
    { name: 'a gateway is killed', happen: () => deployment.replaceGateway(random.pick([0, 1])) },
  ];
}
