import { Interface, type ErrorDescription } from 'ethers/abi';
import { ESCROW_ERRORS } from './escrow-abi.js';
import { parseBytes } from './rpc-values.js';
import { type RpcRefusal, type RpcAnswer, requireResult } from './rpc.js';

/** JSON-RPC defines no codes for these refusals, so the wordings of common clients are compared. */

const ALREADY_KNOWN = /already (known|imported|exists)|\bknown transaction|alreadyknown/i;
const REFUSED =
  /nonce too (low|high)|oldnonce|underpriced|fee too low|less than block base fee|insufficient funds|intrinsic gas|exceeds block gas limit|exceeds the configured cap|invalid (sender|signature|chain id|transaction)|transaction type not supported|failed to decode|rlp:/i;
export const REVERTED_CODE = 3;
/** Includes a wallet's code that runs out of gas or is invalid. */
const FAILED_IN_CODE =
  /revert|out ?of ?gas|gas required exceeds|invalid (opcode|jump)|stack (under|over)flow|EVM error/i;

const ERRORS = new Interface([
  ...ESCROW_ERRORS,
  'error AccountFrozen()',
  'error AddressFrozen()',
  'error AuthorizationExpired()',
  'error AuthorizationInvalid()',
  'error ContractPaused()',
  'error InsufficientFunds()',
  'error InvalidSignature()',
]);

export function classifyRefusal({ message }: RpcRefusal): 'known' | 'refused' | 'unknown' {
  if (ALREADY_KNOWN.test(message)) return 'known';
  return REFUSED.test(message) ? 'refused' : 'unknown';
}

export const isTooCheap = (reason: string) => /underpriced|fee too low/i.test(reason);

export const isTooEarly = (reason: string) => /not yet valid|AuthorizationInvalid/i.test(reason);

export function revertReason({ code, message, data }: RpcRefusal): string | null {
  if (code !== REVERTED_CODE && !FAILED_IN_CODE.test(message)) return null;
  return decodeRevertReason(data) ?? message;
}

function decodeRevertReason(data: unknown): string | null {
  if (typeof data !== 'string' || !/^0x[0-9a-f]{8}/i.test(data)) return null;
  try {
    const parsed = ERRORS.parseError(data);
    return parsed ? describeError(parsed) : data.slice(0, 10);
  } catch {
    return data.slice(0, 10);
  }
}

function describeError({ name, args }: ErrorDescription): string {
  const values = args.map(String).join(', ');
  return name === 'Error' ? values : `${name} ${values}`.trim();
}

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

/** Null if the called code failed. Throws `UnusableAnswer` for every other failure. */
export function resultUnlessReverted(answer: RpcAnswer | undefined): string | null {
  if (answer && 'refusal' in answer && revertReason(answer.refusal) !== null) return null;
  return parseBytes(requireResult(answer));
}
