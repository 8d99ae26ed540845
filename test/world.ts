import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Overrides, Service } from '#apps/gateway/service.js';
import { AgentClient, type ClientOptions, NetworkReader } from '#libs/client/index.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { RAILS } from '#libs/payments/rails.js';
import { Pages } from './pages.js';
import { RawAgent, send } from './raw-agent.js';
import { Token } from './token.js';
import { createWallet } from './x402.js';
import { SplitService, type SplitOptions } from './world/split-service.js';
import { auditService, type CLEAN, readLog } from './world/audit.js';
import type { Backing } from './world/backing.js';
import { newestErrors } from './world/logged-errors.js';
import type { Environment } from './world/service-process.js';
import { startWorld, openBacking } from './world/start.js';

const SETTLED_MS = 10_000;
const REMOVE_RETRIES = 20;

export interface WorldOptions {
  /** Data folder of an earlier service; a new folder by default. */
  readonly folder?: string;
  readonly settings?: { readonly [name: string]: string };
  readonly overrides?: Overrides;
  /** Runs gateways and projectors as separate processes. */
  readonly apart?: SplitOptions;
}

/** Runs the whole service in this process with a local chain, agents, pages and an adjustable clock. */
export class World {
  private pagesPut = 0;
  private offsetMs = 0;

  private constructor(
    readonly folder: string,
    private readonly pages: Pages,
    private options: WorldOptions,
    readonly backing: Backing | null,
    public service: Service,
  ) {}

  static async start(options: WorldOptions = {}): Promise<World> {
    const folder = options.folder ?? newFolder();
    const pages = await Pages.start();
    const backing = await openBacking(folder);
    const starting = startWorld(folder, environmentOf(folder, pages, options, backing), options);
    // Open resources of a failed start would keep jest from exiting.
    const service = await starting.catch(async (error: unknown) => {
      await remove(folder, pages, backing);
      throw error;
    });
    return new World(folder, pages, options, backing, service);
  }

  get url(): string {
    return this.service.url;
  }

  get apart(): SplitService {
    if (!(this.service instanceof SplitService)) throw new Error('This world is one process.');
    return this.service;
  }

  private get nextUrl(): string {
    return this.service instanceof SplitService ? this.service.nextUrl() : this.url;
  }

  /** Creates agents that have joined and have funded wallets. */
  async agents(...names: string[]): Promise<AgentClient[]> {
    const joining = names.map(name => this.agent(name));
    // All must finish before an error is thrown, or the others would call a stopped service.
    await Promise.allSettled(joining);
    return Promise.all(joining);
  }

  async agent(name: string, options: ClientOptions = {}): Promise<AgentClient> {
    const wallet = createWallet();
    await this.fund(wallet.address);
    const agent = AgentClient.withKey(this.nextUrl, 'new', {
      now: () => this.now(),
      origin: this.service.baseUrl,
      wallet: wallet.privateKey,
      spendingCapUsd: { perPayment: '1000', total: '10000' },
      ...options,
    });
    await agent.register({ name, headline: `${name} of a test` });
    await agent.join({ headline: `${name} of a test`, payoutAddress: wallet.address });
    return agent;
  }

  /** Creates an agent with hand-written bodies that has joined and has a funded payout wallet. */
  async raw(name: string): Promise<RawAgent> {
    const agent = new RawAgent(this.nextUrl, () => this.now());
    await Promise.all([agent.register(name), this.fund(agent.wallet.address)]);
    await agent.post('join', { headline: `${name} of a test`, payout_address: agent.wallet.address });
    return agent;
  }

  async raws<const N extends readonly string[]>(...names: N): Promise<{ readonly [K in keyof N]: RawAgent }> {
    return (await Promise.all(names.map(name => this.raw(name)))) as { [K in keyof N]: RawAgent };
  }

  /** Reads a path of the service after its read models have caught up. */
  async read(path: string): Promise<JsonObject> {
    await this.settle();
    return (await send(this.url, path)).body;
  }

  async fund(wallet: string): Promise<void> {
    await this.service.chains.dev?.fundWallet(wallet);
  }

  token(rail: string): Token {
    const { short } = RAILS.find(({ name }) => name === rail)!;
    return new Token(this.service.chains.dev!.rpc[short]!, rail);
  }

  reader(): NetworkReader {
    return new NetworkReader(this.url);
  }

  /** Publishes a page for a delivery; the same path can get another text later. */
  page(text: string, path = `/${(this.pagesPut += 1)}`): string {
    return this.pages.put(path, text);
  }

  async advance(ms: number): Promise<void> {
    this.offsetMs += ms;
    writeFileSync(join(this.folder, 'clock'), String(this.offsetMs));
    await this.service.chains.dev?.setClockOffset(this.offsetMs);
    await new Promise(resolve => setTimeout(resolve, 30));
  }

  now(): number {
    return Date.now() + this.offsetMs;
  }

  async settle(patienceMs = SETTLED_MS): Promise<void> {
    const head = await this.service.stores.log.head();
    if (!(await this.service.models.waitForPosition(head, patienceMs)))
      throw new Error(`The read models did not reach the head of the log. ${newestErrors()}`);
  }

  async events(): Promise<Event[]> {
    return (await readLog(this.service)).events;
  }

  async counts(...types: string[]): Promise<number[]> {
    const events = await this.events();
    return types.map(type => events.filter(event => event.type === type).length);
  }

  async eventTypes(stream: string): Promise<string[]> {
    return (await this.service.stores.journal.read(stream)).map(({ type }) => type);
  }

  /** Restarts the service on the same folder and runs a callback in between. */
  async restart(overrides: Overrides = {}, meanwhile: () => void | Promise<void> = () => undefined): Promise<void> {
    await this.service.stop();
    await meanwhile();
    this.options = { ...this.options, overrides };
    const environment = environmentOf(this.folder, this.pages, this.options, this.backing);
    this.service = await startWorld(this.folder, environment, this.options);
  }

  /** Audits the public feed and compares every document with a rebuild while no process writes. */
  async audit(): Promise<typeof CLEAN> {
    const { log } = this.service.stores;
    for (;;) {
      await this.settle();
      const head = await log.head();
      const told = await auditService(this.service);
      if ((await log.head()) === head) return told;
    }
  }

  async stop(): Promise<void> {
    try {
      await this.service.stop();
    } finally {
      await remove(this.folder, this.pages, this.backing);
    }
  }
}

async function remove(folder: string, pages: Pages, backing: Backing | null): Promise<void> {
  await backing?.remove();
  await pages.stop();
  // A chain node may still write while its folder is removed.
  rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
}

export { CLEAN } from './world/audit.js';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'world-'));
  writeFileSync(join(folder, 'clock'), '0');
  writeFileSync(join(folder, 'roles.json'), '[]');
  return folder;
}

/** Allows the pages of the world and the given hosts; an empty setting allows nothing. */
const allowedHosts = (pages: string, more: string | undefined) =>
  more === '' ? '' : [pages, more].filter(Boolean).join();

function environmentOf(folder: string, pages: Pages, { settings }: WorldOptions, backing: Backing | null): Environment {
  return {
    ...settingsIn(folder),
    ...backing?.environment,
    ...settings,
    FETCH_ALLOW: allowedHosts(pages.host, settings?.['FETCH_ALLOW']),
  };
}

export const settingsIn = (folder: string): Environment => ({
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  DEV_CHAIN_PORTS: '0,0',
  RATE_LIMITS: 'off',
  TEST_CLOCK_FILE: join(folder, 'clock'),
  HOUSE_ROLES: join(folder, 'roles.json'),
});
