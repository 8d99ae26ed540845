import { setTimeout as sleep } from 'node:timers/promises';
import { Interface } from 'ethers/abi';
import { computeAddress } from 'ethers/transaction';
import { zeroPadValue } from 'ethers/utils';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import { MULTICALL } from '#libs/payments/multicall.js';
import { RAILS } from '#libs/payments/rails.js';
import { parseBytes, parseQuantity, parseReceipt, toQuantity, parseWord } from '#libs/payments/rpc-values.js';
import type { RpcAddress } from '#libs/payments/rpc.js';
import { DEV_RELAYER_KEY, DEV_SMART_WALLET, DEV_SMART_WALLET_KEY } from './accounts.js';
import { CollectorDouble10, CollectorDouble11 } from './contracts/collector-double.artifact.js';
import { EscrowDouble10, EscrowDouble11 } from './contracts/escrow-double.artifact.js';
import { MulticallDouble } from './contracts/multicall-double.artifact.js';
import { SmartWalletFactoryDouble } from './contracts/smart-wallet-double.artifact.js';
import { UsdcDouble } from './contracts/usdc-double.artifact.js';
import { UsdgDouble } from './contracts/usdg-double.artifact.js';
import { DevNode } from './dev-node.js';
import type { Faucet } from './faucet.js';

const FAUCET_UNITS = 1_000_000_000n;
const MINED_TIMEOUT_MS = 5_000;
const POLL_MS = 5;

interface DevChainOptions {
  readonly folder: string;
  /** Ports of chains 8453 and 4663; 0 takes a free one. */
  readonly ports: readonly [number, number];
  readonly funded?: readonly string[];
  readonly offsetMs?: number;
  readonly isShared?: boolean;
  readonly warn?: (sentence: string) => void;
}

interface RailNode {
  readonly rail: Rail;
  readonly node: DevNode;
}

/**
 * Development chain: an EVM node per rail on loopback, with doubles of the token and, on Base, of the escrow
 * contracts and the smart wallets, at their real addresses. Every transaction gets a block at once.
 */
export class DevChain implements Faucet {
  readonly rpc: { readonly [short: string]: string };
  private offsetMs = 0;
  /** Mints in sequence, because a node may give concurrent transactions the same nonce. */
  private minting: Promise<unknown> = Promise.resolve();

  private constructor(private readonly nodes: readonly RailNode[]) {
    this.rpc = Object.fromEntries(nodes.map(({ rail, node }) => [rail.short, node.url]));
  }

  /** Starts the nodes, or adopts those of a killed service. */
  static async start(options: DevChainOptions): Promise<DevChain> {
    const started = await Promise.allSettled(RAILS.map(rail => startRailNode(rail, options)));
    const nodes = started.filter(result => result.status === 'fulfilled').map(({ value }) => value);
    const chain = new DevChain(nodes);
    const failed = started.find(result => result.status === 'rejected');
    try {
      if (failed) throw failed.reason;
      await chain.prepare(options);
      return chain;
    } catch (error) {
      await chain.stop();
      throw error;
    }
  }

  fundWallet(wallet: string): Promise<{ readonly [rail: string]: bigint }> {
    const minted = this.minting.then(() => this.mint(wallet));
    this.minting = minted.catch(() => undefined);
    return minted;
  }

  private async mint(wallet: string): Promise<{ readonly [rail: string]: bigint }> {
    const balances = this.nodes.map(async ({ rail, node }) => [
      rail.name,
      await mintTokens(node.rpc, rail, wallet, FAUCET_UNITS),
    ]);
    return Object.fromEntries(await Promise.all(balances)) as { [rail: string]: bigint };
  }

  async setClockOffset(offsetMs: number): Promise<void> {
    this.offsetMs = offsetMs;
    await this.forEachNode(async node => {
      await node.rpc.call('evm_setTime', Math.floor((Date.now() + offsetMs) / SECOND_MS));
      await node.rpc.call('evm_mine');
    });
  }

  /** Mines an empty block on each chain, so that authorizations expire. Follows a changed clock of the caller. */
  async mineEmptyBlocks(nowMs = Date.now() + this.offsetMs): Promise<void> {
    const offsetMs = nowMs - Date.now();
    if (Math.abs(offsetMs - this.offsetMs) >= SECOND_MS) return this.setClockOffset(offsetMs);
    await this.forEachNode(async node => void (await node.rpc.call('evm_mine')));
  }

  async stop(): Promise<void> {
    await this.forEachNode(node => node.stop());
  }

  private async prepare({ funded = [computeAddress(DEV_RELAYER_KEY)], offsetMs = 0 }: DevChainOptions): Promise<void> {
    await Promise.all(this.nodes.map(({ rail, node }) => placeContracts(node.rpc, rail)));
    await this.forEachNode(node => fundAccounts(node.rpc, funded));
    await this.setClockOffset(offsetMs);
  }

  private async forEachNode(work: (node: DevNode) => Promise<void>): Promise<void> {
    await Promise.all(this.nodes.map(({ node }) => work(node)));
  }
}

async function startRailNode(rail: Rail, options: DevChainOptions): Promise<RailNode> {
  const { folder, ports, isShared = false, warn = () => undefined } = options;
  const port = rail.short === 'base' ? ports[0] : ports[1];
  return { rail, node: await DevNode.start({ chainId: rail.chainId, port, folder, isShared, warn }) };
}

/** Factory of the Coinbase Smart Wallet, version 1.1. */
const SMART_WALLET_FACTORY = '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842';
const TOKENS = { USDC: UsdcDouble, USDG: UsdgDouble };
const ESCROWS = [
  [ESCROW_CONTRACTS['v1.1'], EscrowDouble11, CollectorDouble11],
  [ESCROW_CONTRACTS['v1.0'], EscrowDouble10, CollectorDouble10],
] as const;
const ABI = new Interface(UsdcDouble.abi);
const WORD_BYTES = 32;
const NATIVE_WEI = 10n ** 21n;
const NATIVE_WEI_MIN = NATIVE_WEI / 10n;

async function placeContracts(node: RpcAddress, rail: Rail): Promise<void> {
  await placeContract(node, rail.asset, TOKENS[rail.token].runtime);
  await placeContract(node, MULTICALL, MulticallDouble.runtime);
  if (rail.short !== 'base') return;
  await placeContract(node, SMART_WALLET_FACTORY, SmartWalletFactoryDouble.runtime);
  await deploySmartWallet(node);
  for (const [{ escrow, collector }, escrowDouble, collectorDouble] of ESCROWS) {
    await placeContract(node, escrow, escrowDouble.runtime);
    await placeContract(node, collector, collectorDouble.runtime);
  }
}

async function placeContract(node: RpcAddress, address: string, runtime: string): Promise<void> {
  if (parseBytes(await node.call('eth_getCode', address, 'latest')) === runtime) return;
  await node.call('anvil_setCode', address, runtime);
}

async function deploySmartWallet(node: RpcAddress): Promise<void> {
  if (parseBytes(await node.call('eth_getCode', DEV_SMART_WALLET, 'latest')) !== '0x') return;
  const owners = [zeroPadValue(computeAddress(DEV_SMART_WALLET_KEY), WORD_BYTES)];
  const data = new Interface(SmartWalletFactoryDouble.abi).encodeFunctionData('createAccount', [owners, 0]);
  await sendFromNode(node, SMART_WALLET_FACTORY, data);
}

async function fundAccounts(node: RpcAddress, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const balance = parseQuantity(await node.call('eth_getBalance', address, 'latest'));
    if (balance < NATIVE_WEI_MIN) await node.call('anvil_setBalance', address, toQuantity(NATIVE_WEI));
  }
}

async function mintTokens(node: RpcAddress, rail: Rail, wallet: string, units: bigint): Promise<bigint> {
  await sendFromNode(node, rail.asset, ABI.encodeFunctionData('mint', [wallet, units]));
  const balance = ABI.encodeFunctionData('balanceOf', [wallet]);
  return parseQuantity(await node.call('eth_call', { to: rail.asset, data: balance }, 'latest'));
}

async function sendFromNode(node: RpcAddress, to: string, data: string): Promise<void> {
  const [from] = (await node.call('eth_accounts')) as string[];
  await waitUntilMined(node, parseWord(await node.call('eth_sendTransaction', { from, to, data })));
}

async function waitUntilMined(node: RpcAddress, tx: string): Promise<void> {
  const deadline = performance.now() + MINED_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', tx));
    if (receipt?.status === 'success') return;
    if (receipt) throw new Error('The development chain refused a transaction.');
    await sleep(POLL_MS);
  }
  throw new Error('The development chain does not make blocks.');
}
