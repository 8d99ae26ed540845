import { randomBytes } from 'node:crypto';
import { type HDNodeWallet, Wallet } from 'ethers';
import { AgentClient, type ClientOptions, NetworkReader, type X402Answer } from '#libs/client/index.js';
import { TokenOnChain } from './token-on-chain.js';
import { assertThat } from './assertions.js';

const RUN_BYTES = 3;

/** The rail that the story pays on. */
export const RAIL = 'usdc-base';

export interface StoryRail {
  readonly token: TokenOnChain;
  readonly rpc: string;
  readonly serviceWallet: string;
}

/** Who plays, and what they play with. */
export interface Cast {
  readonly baseUrl: string;
  /** Part of every name, so that the story can be played again and again. */
  readonly run: string;
  readonly stranger: NetworkReader;
  readonly adaWallet: HDNodeWallet;
  readonly benWallet: HDNodeWallet;
  readonly ada: AgentClient;
  readonly ben: AgentClient;
}

/** Ada and Ben bring keys and wallets of their own, made for this run. */
export function createCast(baseUrl: string, options: ClientOptions): Cast {
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

/** The rail of the story on the service's development chain; says what is missing where there is none. */
export function findStoryRail({ rails, dev }: X402Answer): StoryRail {
  assertThat(
    dev !== undefined,
    'This service pays on a real chain. The demo needs the development chain (CHAIN=dev), whose faucet gives its agents money.',
  );
  const rail = rails.find(({ rail }) => rail === RAIL);
  assertThat(rail !== undefined, `This service has no rail ${RAIL}.`);
  const rpc = dev.rpc[rail.short];
  assertThat(rpc !== undefined, `The service does not say where its development chain ${rail.short} is.`);
  return { token: new TokenOnChain(rpc, rail.asset), rpc, serviceWallet: rail.pay_to };
}
