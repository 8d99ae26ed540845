import { systemClock } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { openStores } from '#libs/setup/stores.js';
import { type Child, serve, serveService } from './child.js';
import { type Folder, settingsOf } from './folder.js';
import { type TokenHolder, quickstarts } from './token-holder.js';
import { fetchAll, burst, type BurstResult, type WireRequest, wire } from './load.js';
import { FEED_PATH, Reads } from './requests.reads.js';
import { Writes } from './requests.writes.js';
import { seed, type SeedOptions } from './seed.js';

const AGENTS = 140;
const TOKENS = 60;
/** Additional token holders, who write to each other. */
const ACQUAINTED = 2;
const OPEN_ROLES = 400;
export const IN_FLIGHT = 64;

/** Only `bare` and `models` count and seal as the service does. */
export type Server = 'service' | 'bare' | 'models' | 'least' | 'leastModels';

export class Arena {
  private areInboxesRead = false;

  private constructor(
    private readonly servers: { readonly [K in Server]: Child },
    readonly reads: Reads,
    readonly writes: Writes,
    private readonly others: readonly [TokenHolder, TokenHolder],
  ) {}

  static open(folder: Folder, name: string, events: number, progress?: (events: number) => void): Promise<Arena> {
    const agents = Math.max(AGENTS, events / 50);
    return Arena.on(folder, name, { events, agents, openRoles: OPEN_ROLES, ...(progress && { progress }) });
  }

  static async on(folder: Folder, name: string, options: SeedOptions): Promise<Arena> {
    const dataDir = folder.of(name);
    const settings = settingsOf(dataDir);
    const stores = await openStores(settings);
    const { agents, openRoles } = await seed(stores, settings, systemClock, options);
    await stores.close();
    const service = await serveService(dataDir);
    const holders = await quickstarts(service.port, TOKENS + ACQUAINTED);
    await waitUntilCaughtUp(service.port);
    const log = `${dataDir}/events.db`;
    const bareServer = (own: string, ...options: string[]) =>
      serve('bare.server.js', folder.of(`${name}-${own}`), log, ...options);
    const bare = await bareServer('bare', 'sealed');
    const models = await bareServer('models', 'sealed', 'models');
    const least = await bareServer('least');
    const leastModels = await bareServer('least-models', 'models');
    const callers = agents.slice(1, AGENTS);
    const paths = callers.map(({ museId }) => `/api/muse/${museId}`);
    const documents = await answersOf(service.port, paths);
    for (const { port } of [bare, models, least, leastModels])
      await fetchAll(port, [wire('POST', '/documents', {}, documents)]);
    const reads = await Reads.of(service.port, paths);
    const writes = new Writes(callers, openRoles, holders.slice(0, TOKENS), service.port);
    const others = holders.slice(TOKENS) as [TokenHolder, TokenHolder];
    return new Arena({ service, bare, models, least, leastModels }, reads, writes, others);
  }

  port(server: Server): number {
    return this.servers[server].port;
  }

  async rssMiB(server: Server): Promise<number> {
    return (await this.servers[server].resources()).rssMiB;
  }

  /** Waits for the documents, so that no other server pays for work that remains. */
  async burst(
    server: Server,
    requests: readonly WireRequest[],
    inFlight = IN_FLIGHT,
    status = 200,
  ): Promise<Required<BurstResult>> {
    const { port, resources } = this.servers[server];
    const before = await resources();
    const result = await burst(port, requests, inFlight, status);
    if (server === 'service') await waitUntilCaughtUp(port);
    const processorMs = (await resources()).processorMs - before.processorMs;
    return { ...result, processorMicros: (processorMs * 1_000) / result.latenciesMs.length };
  }

  /** Puts the same number of new items into the inbox of each agent of the service. */
  async news(count: number): Promise<void> {
    if (!this.areInboxesRead) await this.writes.readInboxes();
    this.areInboxesRead = true;
    await fetchAll(this.port('service'), this.writes.newsForAll(count));
    await waitUntilCaughtUp(this.port('service'));
  }

  async connectedHolders(): Promise<readonly [TokenHolder, TokenHolder]> {
    const [one, other] = this.others;
    const port = this.port('service');
    await fetchAll(port, [one.request('connect', { to: other.museId })]);
    await fetchAll(port, [other.request('connect', { to: one.museId })]);
    await waitUntilCaughtUp(port);
    await fetchAll(port, [other.request('inbox', {})]);
    return [one, other];
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.servers).map(server => server.stop()));
  }
}

export async function waitUntilCaughtUp(port: number): Promise<void> {
  const healthy = async () => {
    const [health] = await fetchAll<{ projections: { lag: number }[] }>(port, [wire('GET', '/api/health')]);
    return health!.projections.every(({ lag }) => lag === 0);
  };
  while (!(await healthy())) await new Promise(resolve => setTimeout(resolve, 100));
}

async function answersOf(port: number, paths: readonly string[]) {
  const profiles = await fetchAll<JsonObject>(
    port,
    paths.map(path => wire('GET', path)),
  );
  const [feed] = await fetchAll<JsonObject & { items: JsonObject[] }>(port, [wire('GET', FEED_PATH)]);
  const { ok: _ok, items, ...rest } = feed!;
  return {
    texts: profiles.map((profile, at) => [paths[at]!.split('/').at(-1), JSON.stringify(profile)]),
    feed: items.map(item => JSON.stringify(item)),
    tail: JSON.stringify(rest).slice(1, -1),
  };
}
