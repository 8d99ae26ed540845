import type { AuthorizationUse, Rail, TransferAuthorization } from './chain.port.js';
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER, addressTopic } from './eip3009.js';
import type { Log } from './rpc-values.js';

export function useTopics(authorization: TransferAuthorization): readonly [readonly string[], string, string] {
  const { from, nonce } = authorization;
  return [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], addressTopic(from), nonce.toLowerCase()];
}

/**
 * Finds the use among the ordered logs of one transaction. A successful transaction proves nothing, because USDG
 * accepts a second use silently: the payer has paid only if the token's next log is exactly this transfer.
 */
export function findUseInLogs(
  rail: Rail,
  authorization: TransferAuthorization,
  logs: readonly Log[],
): AuthorizationUse | null {
  const tokenLogs = logs.filter(log => log.address === rail.asset.toLowerCase());
  const index = tokenLogs.findIndex(log => isUseOf(authorization, log));
  const log = tokenLogs[index];
  if (!log) return null;
  const paid = log.topics[0] === AUTHORIZATION_USED && isTransferOf(authorization, tokenLogs[index + 1]);
  return { tx: log.transactionHash, block: log.blockNumber, paid };
}

function isUseOf(authorization: TransferAuthorization, { topics }: Log): boolean {
  const [events, from, nonce] = useTopics(authorization);
  return topics.length === 3 && events.includes(topics[0]!) && topics[1] === from && topics[2] === nonce;
}

function isTransferOf({ from, to, value }: TransferAuthorization, log: Log | undefined): boolean {
  if (log?.topics.length !== 3 || log.data.length !== 66) return false;
  const [event, sender, receiver] = log.topics;
  const sameParties = sender === addressTopic(from) && receiver === addressTopic(to);
  return event === TRANSFER && sameParties && BigInt(log.data) === BigInt(value);
}
