import { Interface } from 'ethers/abi';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rail } from '../chain.port.js';
import type { RpcAddress } from '../rpc.js';
import { parseBytes, parseQuantity, parseReceipt, toQuantity, parseWord } from '../rpc-values.js';
import { MulticallDouble } from './contracts/multicall-double.artifact.js';
import { UsdcDouble } from './contracts/usdc-double.artifact.js';
import { UsdgDouble } from './contracts/usdg-double.artifact.js';

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const TOKENS = { USDC: UsdcDouble, USDG: UsdgDouble };
const ABI = new Interface(UsdcDouble.abi);
const NATIVE_WEI = 10n ** 21n;
const NATIVE_WEI_MIN = NATIVE_WEI / 10n;
const MINED_TIMEOUT_MS = 5_000;
const POLL_MS = 5;

export async function placeContracts(node: RpcAddress, rail: Rail): Promise<void> {
  await placeContract(node, rail.asset, TOKENS[rail.token].runtime);
  await placeContract(node, MULTICALL, MulticallDouble.runtime);
}

async function placeContract(node: RpcAddress, address: string, runtime: string): Promise<void> {
  if (parseBytes(await node.call('eth_getCode', address, 'latest')) === runtime) return;
  await node.call('anvil_setCode', address, runtime);
}

export async function fundAccounts(node: RpcAddress, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const balance = parseQuantity(await node.call('eth_getBalance', address, 'latest'));
    if (balance < NATIVE_WEI_MIN) await node.call('anvil_setBalance', address, toQuantity(NATIVE_WEI));
  }
}

export async function mintTokens(node: RpcAddress, rail: Rail, wallet: string, units: bigint): Promise<bigint> {
  const [from] = (await node.call('eth_accounts')) as string[];
  const data = ABI.encodeFunctionData('mint', [wallet, units]);
  const tx = await node.call('eth_sendTransaction', { from, to: rail.asset, data });
  await waitUntilMined(node, parseWord(tx));
  const balance = ABI.encodeFunctionData('balanceOf', [wallet]);
  return parseQuantity(await node.call('eth_call', { to: rail.asset, data: balance }, 'latest'));
}

async function waitUntilMined(node: RpcAddress, tx: string): Promise<void> {
  const deadline = performance.now() + MINED_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const receipt = parseReceipt(await node.call('eth_getTransactionReceipt', tx));
    if (receipt?.status === 'success') return;
    if (receipt) throw new Error('The development chain refused a faucet transaction.');
    await sleep(POLL_MS);
  }
  throw new Error('The development chain does not make blocks.');
}
