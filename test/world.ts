import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Overrides, Service } from '#apps/gateway/service.js';
import { AgentClient, type ClientOptions, NetworkReader } from '#libs/client/index.js';
import { type Event, LOG_START, type Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { RAILS } from '#libs/payments/rails.js';
import { Pages } from './pages.js';
import { RawAgent, send } from './raw-agent.js';
import { Token } from './token.js';
import { createWallet } from './x402.js';
import { SplitService, type SplitOptions } from './world/split-service.js';
import { type CLEAN, readLog, ServiceAudit } from './world/audit.js';
import type { Backing } from './world/backing.js';
import { newestErrors } from './world/logged-errors.js';
import { environmentOf, newFolder } from './world/folder.js';
import { SharedService } from './world/shared-service.js';
import { isPlain, openBacking, startWorld } from './world/start.js';

const SETTLED_MS = 10_000;
const REMOVE_RETRIES = 20;

export interface WorldOptions {
  /** Data folder of an earlier service; a new folder by default. */
  readonly folder?: string;
  readonly settings?: { readonly [name: string]: string };
  readonly overrides?: Overrides;
  /** Chain of a service that runs none itself. */
  readonly chain?: DevChain;
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
    private readonly first: Position = LOG_START,
  ) {}

  static async start(options: WorldOptions = {}): Promise<World> {
    const folder = options.folder ?? newFolder();
    const pages = await Pages.start();
    const backing = await openBacking(folder);
    const starting = startWorld(folder, environmentOf(folder, pages, backing?.environment, options.settings), options);
    // Open resources of a failed start would keep jest from exiting.
    const service = await starting.catch(async (error: unknown) => {
      await remove(folder, pages, backing);
      throw error;
    });
    return new World(folder, pages, options, backing, service);
  }

  /** Uses the service of this worker. The file may neither assert nor change what is common to all files. */
  static async share(file: string): Promise<World> {
    if (!isPlain) return World.start();
    const service = await SharedService.join(file);
    return new World(service.folder, service.pages, {}, null, service, await service.stores.log.head());
  }

  private get shared(): SharedService | null {
    return this.service instanceof SharedService ? this.service : null;
  }

  private requireOwnService(): void {
    if (this.shared) throw new Error('Files that share this service would notice that.');
  }

  /** A name that no other file uses. */
  nameOf(name: string): string {
    return this.shared?.nameOf(name) ?? name;
  }

  get url(): string {
    return this.service.url;
  }

  get apart(): SplitService {
    if (!(this.service instanceof SplitService)) throw new Error('This world is one process.');
    return this.service;
  }

  private get chain(): DevChain | null {
    return this.options.chain ?? this.service.chains.dev;
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
    await agent.register({ name: this.nameOf(name), headline: `${name} of a test` });
    await agent.join({ headline: `${name} of a test`, payoutAddress: wallet.address });
    return agent;
  }

  /** Creates an agent with hand-written bodies that has joined and has a funded payout wallet. */
  async raw(name: string): Promise<RawAgent> {
    const agent = new RawAgent(this.nextUrl, () => this.now());
    await Promise.all([agent.register(this.nameOf(name)), this.fund(agent.wallet.address)]);
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
    await this.chain?.fundWallet(wallet);
  }

  token(rail: string): Token {
    const { short } = RAILS.find(({ name }) => name === rail)!;
    return new Token(this.chain!.rpc[short]!, rail);
  }

  reader(): NetworkReader {
    return new NetworkReader(this.url);
  }

  /** Publishes a page for a delivery; the same path can get another text later. */
  page(text: string, path = `/${(this.pagesPut += 1)}`): string {
    return this.pages.put(path, text);
  }

  async advance(ms: number): Promise<void> {
    this.requireOwnService();
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
    return (await readLog(this.service.stores, this.first)).events;
  }

  async newest(stream: string, type: string): Promise<Event | undefined> {
    return (await this.events()).findLast(event => event.stream === stream && event.type === type);
  }

  /** One hire as its party lists it. */
  async hireOf(agent: RawAgent, hire: string): Promise<JsonObject> {
    await this.settle();
    const hires = (await agent.ok('hires', { limit: '50' })).body['hires'] as JsonObject[];
    return hires.find(each => each['hire'] === Number(hire))!;
  }

  /** Items of an inbox, which stay unread. */
  async inboxOf(agent: RawAgent): Promise<JsonObject[]> {
    await this.settle();
    return (await agent.ok('inbox', { peek: 'true', limit: '100' })).body['items'] as JsonObject[];
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
    this.requireOwnService();
    await this.service.stop();
    await meanwhile();
    this.options = { ...this.options, overrides };
    const environment = environmentOf(this.folder, this.pages, this.backing?.environment, this.options.settings);
    this.service = await startWorld(this.folder, environment, this.options);
  }

  /** Audits the public feed and compares every document with a rebuild while no process writes. */
  async audit(): Promise<typeof CLEAN> {
    const settle = () => this.settle();
    return this.shared ? this.shared.audit(settle) : new ServiceAudit(this.service).run(settle);
  }

  async stop(): Promise<void> {
    try {
      await this.service.stop();
    } finally {
      if (!this.shared) await remove(this.folder, this.pages, this.backing);
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

export { newFolder, settingsIn } from './world/folder.js';
