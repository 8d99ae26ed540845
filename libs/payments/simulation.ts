import { revertReason } from './node-refusals.js';
import { type RpcAnswer, resultOf } from './rpc.js';
import { bytes } from './rpc-values.js';

/** Why the contract would refuse, or null; the newest block says it where the pending one says nothing. */
export function simulated(pending: RpcAnswer | undefined, latest: RpcAnswer | undefined): string | null {
  return verdictOf(isVerdict(pending) ? pending : latest);
}

function isVerdict(answer: RpcAnswer | undefined): boolean {
  return answer !== undefined && ('result' in answer || revertReason(answer.refusal) !== null);
}

function verdictOf(answer: RpcAnswer | undefined): string | null {
  const reason = answer && 'refusal' in answer ? revertReason(answer.refusal) : null;
  if (reason === null) bytes(resultOf(answer));
  return reason;
}
