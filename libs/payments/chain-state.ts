import { oneOfEachRail } from './accounts.js';
import type { Chain, Rail } from './chain.port.js';
import { expectedDomainSeparator } from './ethers.chain.js';
import { isEnough, TRANSACTIONS_MIN } from './gas.js';
import { inTime } from './in-time.js';
import { RpcAddress } from './rpc.js';
import { shownAddress } from './rpc-secrets.js';
import { integer } from './rpc-values.js';

/** Bounds what a dead node adds to a start. */
const ANSWERED_WITHIN_MS = 2_000;

interface RpcNode {
  /** Scheme, host and port: the rest may hold a key. */
  readonly address: string;
  readonly chainId: number | null;
}

/** A chain as a start found it. A null was not answered. */
interface Found {
  readonly nodes: readonly RpcNode[];
  readonly separator: string | null;
  readonly relayers: readonly { readonly address: string; readonly transactionsLeft: number | null }[];
}

interface Configured {
  readonly chains: readonly Chain[];
  /** RPC addresses by the short names of the chains. */
  readonly rpc: { readonly [short: string]: readonly string[] };
}

/** Returns the state of each chain, with what cannot work. */
export function chainStates({ chains, rpc }: Configured): Promise<string[]> {
  const states = oneOfEachRail(chains).map(async ({ rail }) => {
    const accounts = chains.filter(each => each.rail.name === rail.name);
    return `${rail.short}: ${sentenceOf(rail, await look(accounts, rpc[rail.short] ?? []))}`;
  });
  return Promise.all(states);
}

async function look(accounts: readonly Chain[], urls: readonly string[]): Promise<Found> {
  const [separator, nodes, relayers] = await Promise.all([
    inTime(ANSWERED_WITHIN_MS, accounts[0]!.domainSeparator()),
    Promise.all(urls.map(nodeAt)),
    Promise.all(
      accounts.map(async account => ({
        address: account.relayer,
        transactionsLeft: await inTime(ANSWERED_WITHIN_MS, account.transactionsLeft()),
      })),
    ),
  ]);
  return { separator, nodes, relayers };
}

async function nodeAt(url: string): Promise<RpcNode> {
  const asked = new RpcAddress(url).call('eth_chainId').then(integer);
  return { address: shownAddress(url), chainId: await inTime(ANSWERED_WITHIN_MS, asked) };
}

function sentenceOf(rail: Rail, { nodes, separator, relayers }: Found): string {
  const { chainId, token, asset } = rail;
  const wrong = nodes.flatMap(node => faultOf(node, rail));
  const faults = wrong.length > 0 ? ` ${wrong.join(' ')}` : '';
  if (!nodes.some(node => node.chainId === chainId))
    return `cannot be used.${faults} Payments in ${token} answer 503 until it answers; payments under way wait.`;
  if (separator !== null && separator.toLowerCase() !== expectedDomainSeparator(rail).toLowerCase())
    return `${asset} is not ${token}: its domain separator differs. No payment in ${token} can settle.${faults}`;
  const poor = relayers.filter(({ transactionsLeft }) => transactionsLeft !== null && !isEnough(transactionsLeft));
  if (poor.length > 0)
    return `${poor.map(shortOfGas).join(' ')} Payments in ${token} that it would send answer 503.${faults}`;
  if (separator === null || relayers.some(({ transactionsLeft }) => transactionsLeft === null))
    return `its node answers incompletely. Payments in ${token} may answer 503.${faults}`;
  const left = Math.min(...relayers.map(({ transactionsLeft }) => transactionsLeft!));
  return `ready, chain ${chainId}, ${token}, gas for ${left.toLocaleString('en')} transactions.${faults}`;
}

function faultOf({ address, chainId }: RpcNode, rail: Rail): string[] {
  if (chainId === null) return [`${address} does not answer.`];
  return chainId === rail.chainId ? [] : [`${address} is a node of chain ${chainId}, not ${rail.chainId}.`];
}

const shortOfGas = ({ address, transactionsLeft }: Found['relayers'][number]) =>
  `the relayer ${address} has gas for ${transactionsLeft ?? 0} transactions and needs gas for ${TRANSACTIONS_MIN}.`;
