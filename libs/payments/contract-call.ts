import type { ContractCall } from './chain.port.js';
import { decodeSecond } from './multicall.js';
import { REVERTED_CODE, simulationRefusal } from './node-refusals.js';
import { parseBytes, toQuantity } from './rpc-values.js';
import type { RpcAddress, RpcAnswer } from './rpc.js';

type ChosenCall = Omit<ContractCall, 'undeployed'> & { readonly dryRun?: string };

/** Returns the call to send now, which may depend on whether a wallet has code. */
export async function chooseCall(address: RpcAddress, { undeployed, ...call }: ContractCall): Promise<ChosenCall> {
  if (!undeployed) return call;
  const { wallet, signature: _signature, ...other } = undeployed;
  const code = parseBytes(await address.call('eth_getCode', wallet, 'latest'));
  return code === '0x' ? { ...call, ...other } : call;
}

/** Simulates in the pending block: on an idle chain the newest block may be older than `validAfter`. */
export async function simulateCall(
  address: RpcAddress,
  from: string,
  { to, data, dryRun, gasLimit }: ChosenCall,
): Promise<string | null> {
  const call = { from, to, data: dryRun ?? data, ...(gasLimit !== undefined && { gas: toQuantity(gasLimit) }) };
  const answers = await address.batch(
    { method: 'eth_call', params: [call, 'pending'] },
    { method: 'eth_call', params: [call, 'latest'] },
  );
  const [pending, latest] = dryRun === undefined ? answers : answers.map(answerOfSecond);
  return simulationRefusal(pending, latest);
}

function answerOfSecond(answer: RpcAnswer): RpcAnswer {
  const second = 'result' in answer ? decodeSecond(parseBytes(answer.result)) : null;
  if (!second || second.success) return answer;
  return { refusal: { code: REVERTED_CODE, message: 'execution reverted', data: second.data } };
}
