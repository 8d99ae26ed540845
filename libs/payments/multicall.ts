import { Interface } from 'ethers/abi';
import type { ContractCall, UndeployedCall } from './chain.port.js';

/** Multicall3, which has this address on every chain that has it. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';

const ABI = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] results)',
]);

export interface CallResult {
  readonly success: boolean;
  readonly data: string;
}

/** Call data of Multicall3 that runs both, and reverts if a required second call fails. */
export function encodeBoth(first: ContractCall, second: ContractCall, isRequired: boolean): string {
  const calls = [
    [first.to, true, first.data],
    [second.to, !isRequired, second.data],
  ];
  return ABI.encodeFunctionData('aggregate3', [calls]);
}

/** Result of the second call. Null if the answer is not one of Multicall3. */
export function decodeSecond(answer: string): CallResult | null {
  try {
    const [results] = ABI.decodeFunctionResult('aggregate3', answer).toArray(true) as [[boolean, string][]];
    const [success, data] = results[1]!;
    return { success, data };
  } catch {
    return null;
  }
}

/**
 * Deploys a wallet and pays from it in one transaction: both happen or none. Multicall3 is the caller, so the
 * deployment cannot use the rights of the service's account.
 */
export const deployingCall = (wallet: string, deployment: ContractCall, call: ContractCall): UndeployedCall => ({
  wallet,
  to: MULTICALL,
  data: encodeBoth(deployment, call, true),
  dryRun: encodeBoth(deployment, call, false),
});
