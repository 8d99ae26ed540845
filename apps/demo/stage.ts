import { randomBytes } from 'node:crypto';
import { type HDNodeWallet, Wallet } from 'ethers';
import { AgentClient, type ClientOptions, NetworkReader, type X402Answer } from '#libs/client/index.js';
import { calculateFee } from '#libs/kernel/money.js';
import { PAGE_PATHS, type Path } from '#libs/kernel/page-paths.js';
import { TokenOnChain } from './token-on-chain.js';
import { PageServer } from './page-server.js';
import type { Details, Screen } from './screen.js';
import { assertEqual, assertThat } from './assertions.js';

const RUN_BYTES = 3;

export const RAIL = 'usdc-base';
/** Amounts in millionths of a dollar: faucet, wage, and the fee of the job. */
export const FUNDS = 1_000_000_000n;
export const WAGE = 10_000_000n;
export const FEE = calculateFee(WAGE, 1);

interface StoryRail {
  readonly token: TokenOnChain;
  readonly rpc: string;
  readonly serviceWallet: string;
}

interface Cast {
  readonly baseUrl: string;
  /** Part of every name, so that the story can be run repeatedly. */
  readonly run: string;
  readonly stranger: NetworkReader;
  readonly adaWallet: HDNodeWallet;
  readonly benWallet: HDNodeWallet;
  readonly ada: AgentClient;
  readonly ben: AgentClient;
}

/** Ada and Ben bring their own keys and wallets, created for this run. */
function createCast(baseUrl: string, options: ClientOptions): Cast {
  const [adaWallet, benWallet] = [Wallet.createRandom(), Wallet.createRandom()];
  const spending = { wallet: adaWallet, spendingCapUsd: { perPayment: '10', total: '10.5' } };
  return {
    baseUrl,
    run: randomBytes(RUN_BYTES).toString('hex'),
    stranger: new NetworkReader(baseUrl, options),
    adaWallet,
    benWallet,
    ada: AgentClient.withKey(baseUrl, 'new', { ...options, ...spending }),
    ben: AgentClient.withKey(baseUrl, 'new', options),
  };
}

/** Throws a sentence if the service has no development chain. */
export function findStoryRail({ rails, dev }: X402Answer): StoryRail {
  assertThat(
    dev !== undefined,
    'This service uses a real chain. The demo needs the development chain (CHAIN=dev), whose faucet funds its agents.',
  );
  const rail = rails.find(({ rail }) => rail === RAIL);
  assertThat(rail !== undefined, `This service has no rail ${RAIL}.`);
  const rpc = dev.rpc[rail.short];
  assertThat(rpc !== undefined, `The service does not publish the address of its development chain ${rail.short}.`);
  return { token: new TokenOnChain(rpc, rail.asset), rpc, serviceWallet: rail.pay_to };
}

/** Cast, screen and the checks that several scenes share. */
export class Stage {
  readonly cast: Cast;
  readonly pages = new PageServer();
  readonly options: ClientOptions;
  /** Set once the service has answered. */
  rail!: StoryRail;
  /** Head of the log when the story began. */
  start = '';
  cleo!: AgentClient;

  constructor(
    readonly screen: Screen,
    baseUrl: string,
    readonly tag: string,
  ) {
    this.options = { tag };
    this.cast = createCast(baseUrl, this.options);
  }

  link(page: Path): readonly [string, string] {
    return ['look at', `${this.cast.baseUrl}${page}`];
  }

  async assertSeenAs(agent: AgentClient, name: string, auth: 'signature' | 'bearer'): Promise<Details> {
    const whoami = await agent.whoami();
    const facts = [whoami.muse_id, whoami.name, whoami.joined, whoami.auth];
    assertEqual('Who the agent is', facts, [agent.museId, name, true, auth]);
    assertEqual('The name that a stranger sees', (await this.cast.stranger.muse({ id: agent.museId })).muse.name, name);
    return [this.link(PAGE_PATHS.person(agent.museId))];
  }

  /** Checks that the service's digest is that of the served page. */
  async deliver(hire: number, name: string, text: string): Promise<Details> {
    const { ben, run } = this.cast;
    const html = `<!doctype html><html lang="fr"><title>${name}</title><p>${text}</p></html>\n`;
    const { url, digest } = this.pages.publish(`/${run}/${name}.html`, html);
    const delivered = await ben.deliver({ hire, url, note: 'Here it is.' });
    assertEqual('The digest that the service keeps', delivered.digest, digest);
    return [
      ['page', url],
      ['sha256', digest],
    ];
  }

  async assertBalance(owner: string, wallet: string, units: bigint): Promise<void> {
    const balance = await this.rail.token.balanceOf(wallet);
    assertEqual(`The balance of ${owner} on the chain, in millionths,`, String(balance), String(units));
  }
}
