import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BaseWallet, Wallet } from 'ethers';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { RAILS } from '#libs/payments/rails.js';
import { LocalServer } from '../local-server.js';
import { RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { Token } from '../token.js';
import { newFolder, World } from '../world.js';
import type { Environment } from '../world/service-process.js';
import { Child, endStandby } from './child.js';

/** Longer than the 15 s leases of a request and of a relayer account. */
const LEASES_MS = 16 * SECOND_MS;
const ASKS_MAX = 400;
const ASK_AGAIN_MS = 50;
const UNDER_WAY = ['in_progress', 'settlement_pending', 'settlement_unknown', 'payments_unavailable'];
/** Makes the service pick up abandoned payments and stuck transactions quickly. */
const TIMING = { watchMs: 100, stuckMs: 200 };

/** A service that is killed and restarted on the same folder and port; its development chain survives. */
export class CrashFixture {
  private offsetMs = 0;

  private constructor(
    readonly folder: string,
    private readonly pages: LocalServer,
    private readonly environment: Environment,
    public child: Child,
  ) {}

  static async start(settings: Environment = {}): Promise<CrashFixture> {
    const folder = newFolder();
    const pages = await new LocalServer((_request, response) => response.end('done')).listen();
    const environment = {
      ...settings,
      PORT: String(await findFreePort()),
      FETCH_ALLOW: [pages.host, settings['FETCH_ALLOW']].filter(host => host !== undefined).join(),
      PAYMENT_TIMING: JSON.stringify(TIMING),
    };
    return new CrashFixture(folder, pages, environment, await Child.start(folder, environment));
  }

  readonly now = () => Date.now() + this.offsetMs;

  get url(): string {
    return this.child.url;
  }

  page(): string {
    return `${this.pages.url}/page`;
  }

  /** Starts the next process after all leases of the dead one, plus `laterMs`. */
  async restart(laterMs = 0, settings: Environment = {}): Promise<void> {
    await this.child.ended;
    this.pass(laterMs);
    this.child = await Child.start(this.folder, { ...this.environment, ...settings });
  }

  /** Starts a process that resumes the work of the dead one and dies too. */
  async startAndDie(point: string, laterMs = 0): Promise<void> {
    await this.child.ended;
    this.pass(laterMs);
    await Child.startAndDie(this.folder, this.environment, point);
  }

  async raw(name: string): Promise<RawAgent> {
    const agent = new RawAgent(this.url, this.now);
    await Promise.all([agent.register(name), this.fund(agent.wallet.address)]);
    await agent.post('join', { headline: `${name} of a test`, payout_address: agent.wallet.address });
    return agent;
  }

  async wallet(): Promise<BaseWallet> {
    const wallet = Wallet.createRandom();
    await this.fund(wallet.address);
    return wallet;
  }

  async fund(wallet: string): Promise<void> {
    await send(this.url, '/api/faucet', { body: { wallet } });
  }

  token(rail: string): Token {
    const { short } = RAILS.find(({ name }) => name === rail)!;
    return new Token(this.child.rpc[short]!, rail);
  }

  async stop(): Promise<void> {
    await Promise.all([this.child.stop(), endStandby()]);
    await this.pages.stop();
  }

  /** Stops the service and examines its folder with a world. */
  async examine(look: (world: World) => Promise<void>, settings: Environment = {}): Promise<void> {
    await this.stop();
    const world = await World.start({ folder: this.folder, settings });
    try {
      await look(world);
    } finally {
      await world.stop();
    }
  }

  private pass(laterMs: number): void {
    this.offsetMs += LEASES_MS + laterMs;
    writeFileSync(join(this.folder, 'clock'), String(this.offsetMs));
  }
}

/** Retries until a pending request ends, as a client does. */
export async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ask();
    if (!UNDER_WAY.includes(textOf(reply, 'code')) || attempt === ASKS_MAX) return reply;
    await new Promise(resolve => setTimeout(resolve, ASK_AGAIN_MS));
  }
}
