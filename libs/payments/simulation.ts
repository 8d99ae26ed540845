import { revertReason } from './node-refusals.js';
import { type RpcAnswer, requireResult } from './rpc.js';
import { parseBytes } from './rpc-values.js';

export function simulationRefusal(pending: RpcAnswer | undefined, latest: RpcAnswer | undefined): string | null {
  return refusalIn(isVerdict(pending) ? pending : latest);
}

function isVerdict(answer: RpcAnswer | undefined): boolean {
  return answer !== undefined && ('result' in answer || revertReason(answer.refusal) !== null);
}

function refusalIn(answer: RpcAnswer | undefined): string | null {
  const reason = answer && 'refusal' in answer ? revertReason(answer.refusal) : null;
  if (reason === null) parseBytes(requireResult(answer));
  return reason;
}
