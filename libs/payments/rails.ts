import { TOKEN_CONTRACTS } from '#libs/kernel/evm-address.js';
import type { Rail } from './chain.port.js';

/** Rails in the order of the offers, with the addresses and signing domains of the main nets. */
export const RAILS: readonly Rail[] = [
  {
    name: 'usdg-robinhood',
    network: 'eip155:4663',
    chainId: 4663,
    short: 'robinhood',
    title: 'Robinhood Chain',
    token: 'USDG',
    asset: TOKEN_CONTRACTS.USDG,
    decimals: 6,
    domain: { name: 'Global Dollar', version: '1' },
    asksWallets: false,
    inV1Registry: false,
    explorer: 'https://robinhoodchain.blockscout.com',
    confirmations: 1,
    finality: 1,
  },
  {
    name: 'usdc-base',
    network: 'eip155:8453',
    chainId: 8453,
    short: 'base',
    title: 'Base',
    token: 'USDC',
    asset: TOKEN_CONTRACTS.USDC,
    decimals: 6,
    domain: { name: 'USD Coin', version: '2' },
    asksWallets: true,
    inV1Registry: true,
    explorer: 'https://basescan.org',
    confirmations: 1,
    finality: 1,
  },
];

/** `id`: name of the rail, or short name or CAIP-2 network of its chain. */
export const findRail = (id: string): Rail | undefined =>
  RAILS.find(({ name, short, network }) => [name, short, network].includes(id));

/** Name of a chain for people. `id` as in `findRail`. */
export const chainTitle = (id: string): string => findRail(id)?.title ?? id;

export const transactionUrl = ({ explorer }: Pick<Rail, 'explorer'>, tx: string): string => `${explorer}/tx/${tx}`;
