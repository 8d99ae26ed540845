import { firstChainOfEachRail } from './account-selection.js';
import type { Chain, Rail } from './chain.port.js';
import { expectedDomainSeparator } from './ethers.chain.js';
import { isEnoughGas, TRANSACTIONS_MIN } from './relayer-gas.js';
import { orNullAfter } from './or-null-after.js';
import { RpcAddress } from './rpc.js';
import { redactedAddress } from './rpc-secrets.js';
import { parseInteger } from './rpc-values.js';

const RESPONSE_TIMEOUT_MS = 2_000;

interface RpcNode {
  readonly address: string;
  readonly chainId: number | null;
}

interface ChainState {
  readonly nodes: readonly RpcNode[];
  readonly separator: string | null;
  readonly relayers: readonly { readonly address: string; readonly transactionsLeft: number | null }[];
}

interface ConfiguredChains {
  readonly chains: readonly Chain[];
  readonly rpc: { readonly [short: string]: readonly string[] };
}

export function describeChains({ chains, rpc }: ConfiguredChains): Promise<string[]> {
  const states = firstChainOfEachRail(chains).map(async ({ rail }) => {
    const accounts = chains.filter(each => each.rail.name === rail.name);
    return `${rail.short}: ${describeChainState(rail, await readChainState(accounts, rpc[rail.short] ?? []))}`;
  });
  return Promise.all(states);
}

async function readChainState(accounts: readonly Chain[], urls: readonly string[]): Promise<ChainState> {
  const [separator, nodes, relayers] = await Promise.all([
    orNullAfter(RESPONSE_TIMEOUT_MS, accounts[0]!.domainSeparator()),
    Promise.all(urls.map(readNode)),
    Promise.all(
      accounts.map(async account => ({
        address: account.relayer,
        transactionsLeft: await orNullAfter(RESPONSE_TIMEOUT_MS, account.transactionsLeft()),
      })),
    ),
  ]);
  return { separator, nodes, relayers };
}

async function readNode(url: string): Promise<RpcNode> {
  const answer = new RpcAddress(url).call('eth_chainId').then(parseInteger);
  return { address: redactedAddress(url), chainId: await orNullAfter(RESPONSE_TIMEOUT_MS, answer) };
}

function describeChainState(rail: Rail, { nodes, separator, relayers }: ChainState): string {
  const { chainId, token, asset } = rail;
  const wrong = nodes.flatMap(node => nodeFaults(node, rail));
  const faults = wrong.length > 0 ? ` ${wrong.join(' ')}` : '';
  if (!nodes.some(node => node.chainId === chainId))
    return `cannot be used.${faults} Payments in ${token} get 503 until it answers; pending payments wait.`;
  if (separator !== null && separator.toLowerCase() !== expectedDomainSeparator(rail).toLowerCase())
    return `${asset} is not ${token}: its domain separator differs. No payment in ${token} can settle.${faults}`;
  const poorRelayers = relayers.filter(
    ({ transactionsLeft }) => transactionsLeft !== null && !isEnoughGas(transactionsLeft),
  );
  if (poorRelayers.length > 0)
    return `${poorRelayers.map(describeLowGas).join(' ')} Payments in ${token} that it would send get 503.${faults}`;
  if (separator === null || relayers.some(({ transactionsLeft }) => transactionsLeft === null))
    return `its node answers incompletely. Payments in ${token} may get 503.${faults}`;
  const transactionsLeft = Math.min(...relayers.map(({ transactionsLeft }) => transactionsLeft!));
  return `ready, chain ${chainId}, ${token}, gas for ${transactionsLeft.toLocaleString('en')} transactions.${faults}`;
}

function nodeFaults({ address, chainId }: RpcNode, rail: Rail): string[] {
  if (chainId === null) return [`${address} does not answer.`];
  return chainId === rail.chainId ? [] : [`${address} is a node of chain ${chainId}, not ${rail.chainId}.`];
}

const describeLowGas = ({ address, transactionsLeft }: ChainState['relayers'][number]) =>
  `the relayer ${address} has gas for ${transactionsLeft ?? 0} transactions; it needs gas for at least ${TRANSACTIONS_MIN}.`;
