import { randomBytes } from 'node:crypto';
import { type HDNodeWallet, Wallet } from 'ethers';
import { AgentClient, type ClientOptions, NetworkReader, type X402Answer } from '#libs/client/index.js';
import { TokenOnChain } from './token-on-chain.js';
import { assertThat } from './assertions.js';

const RUN_BYTES = 3;

export const RAIL = 'usdc-base';

export interface StoryRail {
  readonly token: TokenOnChain;
  readonly rpc: string;
  readonly serviceWallet: string;
}

export interface Cast {
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
