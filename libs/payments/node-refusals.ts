import { Interface } from 'ethers/abi';
import type { ErrorDescription } from 'ethers/abi';
import type { RpcRefusal } from './rpc.js';

/** How nodes say no. JSON-RPC fixes no codes for these, so the words of the common clients are compared. */

const ALREADY_KNOWN = /already (known|imported|exists)|\bknown transaction|alreadyknown/i;
/** The words with which clients refuse this very transaction: it needs another nonce, fee or balance. */
const REFUSED =
  /nonce too (low|high)|oldnonce|underpriced|fee too low|less than block base fee|insufficient funds|intrinsic gas|exceeds block gas limit|exceeds the configured cap|invalid (sender|signature|chain id|transaction)|transaction type not supported|failed to decode|rlp:/i;
/** The code that clients give an execution that reverted. */
const REVERTED_CODE = 3;
const REVERTED = /revert/i;

/** Errors of the tokens; `Error(string)` and `Panic(uint256)` of Solidity are known without a line here. */
const ERRORS = new Interface([
  'error AccountFrozen()',
  'error AddressFrozen()',
  'error AuthorizationExpired()',
  'error AuthorizationInvalid()',
  'error ContractPaused()',
  'error InsufficientFunds()',
  'error InvalidSignature()',
]);

/** What a refused `eth_sendRawTransaction` means: the node has it, will not take it, or said nothing about it. */
export function classifyRefusal({ message }: RpcRefusal): 'known' | 'refused' | 'unknown' {
  if (ALREADY_KNOWN.test(message)) return 'known';
  return REFUSED.test(message) ? 'refused' : 'unknown';
}

/** Whether another transaction waits at the nonce, whose fee this one does not exceed by enough. */
export const isTooCheap = (reason: string) => /underpriced|fee too low/i.test(reason);

/** Whether the token refuses because the time of its block is not after `validAfter`. */
export const isTooEarly = (reason: string) => /not yet valid|AuthorizationInvalid/i.test(reason);

/** Why the contract reverted, in its own words or the name of its error; null where it was not the contract. */
export function revertReason({ code, message, data }: RpcRefusal): string | null {
  if (code !== REVERTED_CODE && !REVERTED.test(message)) return null;
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
