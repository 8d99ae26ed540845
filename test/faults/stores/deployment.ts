import { setTimeout as pause } from 'node:timers/promises';
import { databaseUrl, withClient } from '../../contract/mongodb.server.js';
import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';
import { Pages } from '../../pages.js';
import { type Environment, ServiceProcess } from '../../world/service-process.js';
import { newFolder, settingsIn, World } from '../../world.js';
import { MongodbProcess } from './mongodb-process.js';
import { TcpProxy } from './tcp-proxy.js';

/** Number of restarts of a process that cannot start without its store. */
const STARTS_MAX = 20;
const START_AGAIN_MS = 300;
const MONGODB_PORT = 27_017;

interface Surroundings {
  readonly pages: Pages;
  readonly events: TcpProxy;
  readonly documents: TcpProxy;
  readonly double: EventStoreDouble;
  /** Null if the server is shared and must not be killed. */
  readonly mongodb: MongodbProcess | null;
}

async function endOf({ pages, events, documents, double, mongodb }: Surroundings): Promise<void> {
  await Promise.all([pages.stop(), double.kill(), mongodb?.remove(), events.stop(), documents.stop()]);
}

/** Runs two gateways and two projectors as processes, with a proxy before each store. */
export class Deployment {
  readonly failedStarts: string[] = [];
  /** Processes that ended unexpectedly. */
  readonly fallen: string[] = [];
  private readonly gateways: ServiceProcess[];
  private ending = false;

  private constructor(
    readonly world: World,
    readonly stores: Surroundings,
    private readonly environment: Environment,
  ) {
    this.gateways = [...world.apart.gateways];
    this.gateways.forEach(each => this.watch(each, 'gateway'));
    world.apart.projectors.forEach(each => this.watch(each, 'projector'));
  }

  static async start(): Promise<Deployment> {
    const folder = newFolder();
    const [pages, double, mongodb] = await Promise.all([
      Pages.start(),
      EventStoreDouble.start(),
      MongodbProcess.start(),
    ]);
    const events = await TcpProxy.start(Number(new URL(double.url).port));
    const address = new URL(databaseUrl(folder));
    const documents = await (mongodb
      ? TcpProxy.start(mongodb.port)
      : TcpProxy.start(Number(address.port) || MONGODB_PORT, address.hostname));
    const stores = { pages, events, documents, double, mongodb };
    const environment = {
      ...settingsIn(folder),
      FETCH_ALLOW: pages.host,
      EVENT_LOG: 'eventstoredb',
      DOCUMENTS: 'mongodb',
      EVENTSTORE_URL: `esdb://127.0.0.1:${events.port}?tls=false`,
      MONGODB_URL: through(address, documents.port),
    };
    try {
      const world = await World.start({ folder, settings: environment, apart: { gateways: 2, projectors: 2 } });
      return new Deployment(world, stores, { ...environment, BASE_URL: world.url });
    } catch (error) {
      await endOf(stores);
      throw error;
    }
  }

  get urls(): readonly string[] {
    return this.gateways.map(({ url }) => url);
  }

  /** Kills a projector. The other takes its leases when they expire and shares them with the next. */
  async replaceProjector(): Promise<void> {
    const { apart } = this.world;
    await apart.projectors.find(({ isKilled }) => !isKilled)!.kill();
    this.watch(await this.startAgain(() => apart.addProjector()), 'projector');
  }

  /** Kills a gateway, so that its clients ask the next one at its address. */
  async replaceGateway(at: number): Promise<void> {
    const last = this.gateways[at]!;
    const { url } = last;
    await last.kill();
    const environment = { ...this.environment, PORT: new URL(url).port };
    const start = () => ServiceProcess.gateway(this.world.folder, environment);
    this.gateways[at] = await this.startAgain(start);
    this.watch(this.gateways[at], 'gateway');
  }

  async restartMongodb(downMs: number): Promise<void> {
    await this.stores.mongodb!.kill();
    await pause(downMs);
    await this.stores.mongodb!.restart();
  }

  async restartEventStore(downMs: number): Promise<void> {
    await this.stores.double.kill();
    await pause(downMs);
    await this.stores.double.restart();
  }

  /** Stops every process while no store responds and returns the exit codes. The deployment is unusable afterwards. */
  async endUnanswered(): Promise<(number | null)[]> {
    this.ending = true;
    const { events, documents } = this.stores;
    const proxies = [events, documents];
    proxies.forEach(proxy => proxy.stall());
    const codes = await Promise.all(this.running.map(each => each.stop()));
    proxies.forEach(proxy => proxy.open());
    return codes;
  }

  async stop(): Promise<void> {
    this.ending = true;
    const wrong = await Promise.all(this.running.map(each => this.ended(each)));
    try {
      await this.world.stop();
      if (!this.stores.mongodb) await withClient(databaseUrl(this.world.folder), client => client.db().dropDatabase());
    } finally {
      await endOf(this.stores);
    }
    if (wrong.some(Boolean)) throw new Error(wrong.filter(Boolean).join(' '));
  }

  private get running(): ServiceProcess[] {
    const { apart } = this.world;
    const all = new Set([...this.gateways, ...apart.gateways, ...apart.projectors]);
    return [...all].filter(({ isKilled }) => !isKilled);
  }

  /** Returns the error of a process instead of throwing, which would interrupt the stop of the world. */
  private async ended(each: ServiceProcess): Promise<string> {
    const code = await each.stop();
    if (code === 0) return '';
    each.isKilled = true;
    return `A ${this.gateways.includes(each) ? 'gateway' : 'projector'} ended with ${code} when it was told to end.`;
  }

  private watch(each: ServiceProcess, what: string): void {
    void each.ended.then(code => {
      if (!each.isKilled && !this.ending) this.fallen.push(`A ${what} ended by itself with ${code}.`);
    });
  }

  private async startAgain(start: () => Promise<ServiceProcess>): Promise<ServiceProcess> {
    for (let starts = 1; ; starts += 1) {
      try {
        return await start();
      } catch (error) {
        this.failedStarts.push((error as Error).message.split('\n', 1)[0]!);
        if (starts === STARTS_MAX) throw error;
        await pause(START_AGAIN_MS);
      }
    }
  }
}

/** The server announces its own address, so only `directConnection` keeps that of the proxy. */
function through(address: URL, port: number): string {
  const behind = new URL(address);
  behind.host = `127.0.0.1:${port}`;
  behind.searchParams.set('directConnection', 'true');
  return behind.href;
}
