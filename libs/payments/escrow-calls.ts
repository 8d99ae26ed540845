import type { EscrowPayment } from './scheme.js';
import type { ContractCall } from './chain.port.js';
import { ESCROW, ESCROW_OF_VERSION, ZERO_ADDRESS } from './escrow-abi.js';
import type { EscrowCall } from './escrow-machine.js';
import { type Log, parseFlag } from './rpc-values.js';

/** Twice what the first release of an account takes. */
const END_GAS = 300_000n;
const WORD_CHARACTERS = 64;

/** Transaction that sends the whole money of an escrow to the worker, or back to the poster. */
export function escrowCall(
  { version, contracts, info }: Pick<EscrowPayment, 'version' | 'contracts' | 'info'>,
  { step }: Pick<EscrowCall, 'step'>,
): ContractCall {
  const data =
    step === 'void'
      ? ESCROW.encodeFunctionData('void', [info])
      : ESCROW_OF_VERSION[version].encodeFunctionData('capture', [info, info.maxAmount, 0, ZERO_ADDRESS]);
  return { to: contracts.escrow, data, gasLimit: END_GAS };
}

export const stateCall = ({ contracts, hash }: EscrowTerms): ContractCall => ({
  to: contracts.escrow,
  data: ESCROW.encodeFunctionData('paymentState', [hash]),
});

/** Whether the contract took the money, whether it still holds it, and how much. */
export function parseState(words: string): EscrowMoney {
  const word = (index: number) => `0x${words.slice(2 + index * WORD_CHARACTERS, 2 + (index + 1) * WORD_CHARACTERS)}`;
  return { isCollected: parseFlag(word(0)), isHeld: parseFlag(word(1)), capturable: BigInt(word(1)) };
}

interface EscrowMoney {
  readonly isCollected: boolean;
  readonly isHeld: boolean;
  readonly capturable: bigint;
}

type End = 'capture' | 'void' | 'reclaim';

const endTopics = (version: EscrowPayment['version']): readonly (readonly [topic: string, by: End])[] => [
  [ESCROW_OF_VERSION[version].getEvent('PaymentCaptured')!.topicHash, 'capture'],
  [ESCROW_OF_VERSION[version].getEvent('PaymentCharged')!.topicHash, 'capture'],
  [ESCROW.getEvent('PaymentVoided')!.topicHash, 'void'],
  [ESCROW.getEvent('PaymentReclaimed')!.topicHash, 'reclaim'],
];

/** Topics of the logs that end an escrow. */
export const endFilter = ({ version, contracts, hash }: EscrowTerms) => ({
  address: contracts.escrow,
  topics: [endTopics(version).map(([topic]) => topic), hash] as const,
});

/** First end of the escrow in the logs. */
export function findEscrowEnd(escrow: EscrowPayment, logs: readonly Log[]) {
  const [end] = listEscrowEnds(escrow, logs);
  return end ? { by: end.by, tx: end.tx, block: end.block } : null;
}

type EscrowTerms = Pick<EscrowPayment, 'version' | 'contracts' | 'hash'>;

/** A contract pays in parts if its operator asks for parts, which the service never does. */
export function listEscrowEnds({ version, contracts, hash }: EscrowTerms, logs: readonly Log[]): EscrowEnd[] {
  const topics = new Map(endTopics(version));
  return logs.flatMap(log => {
    const by = topics.get(log.topics[0] ?? '');
    if (by === undefined || log.address !== contracts.escrow.toLowerCase() || log.topics[1] !== hash) return [];
    return [{ by, tx: log.transactionHash, block: log.blockNumber, amount: readAmount(version, log) }];
  });
}

interface EscrowEnd {
  readonly by: End;
  readonly tx: string;
  readonly block: number;
  readonly amount: bigint;
}

function readAmount(version: EscrowPayment['version'], { topics, data }: Log): bigint {
  const log = { topics, data };
  const parsed = ESCROW_OF_VERSION[version].parseLog(log) ?? ESCROW.parseLog(log);
  return parsed!.args['amount'] as bigint;
}
