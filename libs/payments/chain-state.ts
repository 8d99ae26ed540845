import { accountsOn, firstChainOfEachRail } from './account-selection.js';
import type { Chain, Rail } from './chain.port.js';
import { isDomainSeparator } from './eip3009.js';
import { isEnoughGas, TRANSACTIONS_MIN } from './gas.js';
import { orNullAfter } from './or-null-after.js';
import { RpcAddress } from './rpc.js';
import { redactedAddress } from './rpc-secrets.js';
import { parseInteger } from './rpc-values.js';

const RESPONSE_TIMEOUT_MS = 2_000;

type ChainState = Awaited<ReturnType<typeof readChainState>>;

interface ConfiguredChains {
  readonly chains: readonly Chain[];
  readonly rpc: { readonly [short: string]: readonly string[] };
}

/** State of a chain for the operator: a verdict, and a row for each of its nodes and relayers. */
export interface ChainReport {
  readonly name: string;
  readonly isReady: boolean;
  readonly verdict: string;
  readonly parts: readonly (readonly [part: 'node' | 'relayer', text: string])[];
}

export function reportChains({ chains, rpc }: ConfiguredChains): Promise<ChainReport[]> {
  const reports = firstChainOfEachRail(chains).map(async ({ rail }) => {
    const accounts = accountsOn(chains, rail);
    return reportChain(rail, await readChainState(accounts, rpc[rail.short] ?? []));
  });
  return Promise.all(reports);
}

/** Values are null without an answer. */
async function readChainState(accounts: readonly Chain[], urls: readonly string[]) {
  const inTime = <T>(answer: Promise<T>) => orNullAfter(RESPONSE_TIMEOUT_MS, answer);
  const readNode = async (url: string) => {
    const chainId = await inTime(new RpcAddress(url).call('eth_chainId').then(parseInteger));
    return { address: redactedAddress(url), chainId };
  };
  const readRelayer = async (account: Chain) => {
    return { address: account.relayer, transactionsLeft: await inTime(account.transactionsLeft()) };
  };
  const [separator, nodes, relayers] = await Promise.all([
    inTime(accounts[0]!.domainSeparator()),
    Promise.all(urls.map(readNode)),
    Promise.all(accounts.map(readRelayer)),
  ]);
  return { separator, nodes, relayers };
}

function reportChain(rail: Rail, state: ChainState): ChainReport {
  const fault = findFault(rail, state);
  const parts: ChainReport['parts'] = [
    ...state.nodes.map(node => ['node', describeNode(node, rail)] as const),
    ...state.relayers.map(relayer => ['relayer', describeRelayer(relayer)] as const),
  ];
  const verdict = fault ?? `ready: chain ${rail.chainId}, payments in ${rail.token}`;
  return { name: rail.short, isReady: fault === null, verdict, parts };
}

/** Says what cannot work; null if everything works. */
function findFault(rail: Rail, { nodes, separator, relayers }: ChainState): string | null {
  const { chainId, token, asset } = rail;
  const working = nodes.filter(node => node.chainId === chainId);
  if (working.length === 0)
    return `cannot work: no node of chain ${chainId} answers. Payments in ${token} get 503, and open ones wait.`;
  if (separator !== null && !isDomainSeparator(rail, separator))
    return `cannot work: ${asset} is not ${token}, its domain separator differs. No payment can settle.`;
  const poor = relayers.filter(({ transactionsLeft: left }) => left !== null && !isEnoughGas(left));
  if (poor.length === relayers.length) return `cannot work: no relayer has gas. Payments in ${token} get 503.`;
  if (poor.length > 0) return `works in part: payments in ${token} that a relayer without gas would send get 503.`;
  if (separator === null || relayers.some(({ transactionsLeft: left }) => left === null))
    return `may not work: its node answers incompletely. Payments in ${token} may get 503.`;
  return working.length < nodes.length ? `works: chain ${chainId}, payments in ${token}; but not every node.` : null;
}

function describeNode({ address, chainId }: ChainState['nodes'][number], rail: Rail): string {
  if (chainId === null) return `${address} does not answer`;
  return chainId === rail.chainId
    ? `${address} answers`
    : `${address} is a node of chain ${chainId}, not ${rail.chainId}`;
}

function describeRelayer({ address, transactionsLeft }: ChainState['relayers'][number]): string {
  if (transactionsLeft === null) return `${address}, gas unknown`;
  const count = String(transactionsLeft).replace(/\B(?=(\d{3})+$)/g, ',');
  const gas = `${address}, gas for ${count} transactions`;
  return isEnoughGas(transactionsLeft) ? gas : `${gas}: send it coin, it needs gas for ${TRANSACTIONS_MIN}`;
}
