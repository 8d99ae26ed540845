import { openOwnChains } from '#libs/service/chain-openers.js';
import type { Service } from '#apps/gateway/service.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { type Clock } from '#libs/kernel/clock.js';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import type { Chains } from '#libs/setup/chains.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { readSettings, type Settings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { type Environment, ServiceProcess } from './service-process.js';
import { orderStoryReads } from './story-fetch.js';

/** Allows for several processes that start on a busy machine. */
const SHOWN_TIMEOUT_MS = 60_000;

export interface SplitOptions {
  readonly gateways?: number;
  readonly projectors?: number;
}

/** Runs gateways and projectors as separate processes and opens their stores in this process for inspection. */
export class SplitService implements Service {
  readonly metricsUrl = null;
  private next = 0;
  private readonly untold: () => void;

  private constructor(
    private readonly startAnother: (app: 'gateway' | 'projector') => Promise<ServiceProcess>,
    readonly stores: Stores,
    readonly models: ReadModels,
    readonly chains: Chains,
    readonly gateways: ServiceProcess[],
    readonly projectors: ServiceProcess[],
  ) {
    this.untold = orderStoryReads(gateways.map(({ url }) => url));
  }

  static async start(
    folder: string,
    environment: Environment,
    { gateways = 2, projectors = 1 }: SplitOptions = {},
  ): Promise<SplitService> {
    const settings = readSettings(environment);
    const clock = clockOf(settings);
    const ports = await Promise.all(Array.from({ length: gateways }, findFreePort));
    const base = { BASE_URL: `http://127.0.0.1:${ports[0]}`, ...environment };
    const { stores, models, chains } = await openStoresBeside(settings, clock);
    const startAnother = (app: 'gateway' | 'projector') => ServiceProcess[app](folder, base);
    const running = [
      ...ports.map(port => ServiceProcess.gateway(folder, { ...base, PORT: String(port) })),
      ...Array.from({ length: projectors }, () => startAnother('projector')),
    ];
    const started = await Promise.allSettled(running);
    const processes = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
    const apart = new SplitService(
      startAnother,
      stores,
      models,
      chains,
      processes.slice(0, gateways),
      processes.slice(gateways),
    );
    const failed = started.find(result => result.status === 'rejected');
    try {
      if (failed) throw failed.reason;
      await apart.shown();
      return apart;
    } catch (error) {
      await apart.stop();
      throw error;
    }
  }

  private async shown(): Promise<void> {
    if (this.projectors.length > 0 && !(await this.models.waitForHead(SHOWN_TIMEOUT_MS)))
      throw new Error('The projector does not keep up with the log.');
  }

  get url(): string {
    return this.gateways[0]!.url;
  }

  get baseUrl(): string {
    return this.url;
  }

  /** Rotates through the gateways to spread the agents. */
  nextUrl(): string {
    return this.gateways[this.next++ % this.gateways.length]!.url;
  }

  async addProjector(): Promise<ServiceProcess> {
    const projector = await this.startAnother('projector');
    this.projectors.push(projector);
    return projector;
  }

  async addGateway(): Promise<ServiceProcess> {
    const gateway = await this.startAnother('gateway');
    this.gateways.push(gateway);
    return gateway;
  }

  async stop(): Promise<void> {
    this.untold();
    const left = [...this.gateways, ...this.projectors].filter(({ isKilled }) => !isKilled);
    const codes = await Promise.all(left.map(each => each.stop()));
    await this.stores.close();
    await this.chains.dev?.stop();
    const wrong = codes.filter(code => code !== 0);
    if (wrong.length > 0) throw new Error(`A process of the service ended with ${wrong.join()}.`);
  }
}

export async function openStoresBeside(settings: Settings, clock: Clock) {
  const stores = await openStores(settings);
  const models = new ReadModels(stores.documents, stores.log, PROJECTIONS);
  await models.open();
  return { stores, models, chains: await openOwnChains(settings, clock, () => undefined, stores.vault) };
}
