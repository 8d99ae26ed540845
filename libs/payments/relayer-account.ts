import { Signature, SigningKey, keccak256 } from 'ethers/crypto';
import { Transaction, computeAddress } from 'ethers/transaction';
import { getBytes, hexlify } from 'ethers/utils';
import { type ContractCall, type Rail, type SignedTransaction, TransactionRejected } from './chain.port.js';
import { type Fees, GAS_LIMIT_MIN } from './gas.js';
import { classifyRefusal } from './node-refusals.js';
import { type RpcAddress, UnusableAnswer, requireResult } from './rpc.js';
import { parseWord } from './rpc-values.js';

export class RelayerAccount {
  private readonly key: SigningKey;
  private cachedAddress: string | undefined;

  constructor(privateKey: string) {
    this.key = new SigningKey(privateKey);
  }

  /** Computed on first use, because it is slow enough to delay a start. */
  get address(): string {
    return (this.cachedAddress ??= computeAddress(this.key));
  }

  /** The transaction is empty if there is no call. */
  async sign(
    { chainId }: Rail,
    nonce: number,
    fees: Fees,
    call?: Required<Omit<ContractCall, 'undeployed'>>,
  ): Promise<SignedTransaction> {
    const { maxFee, tip } = fees;
    const transaction = Transaction.from({
      type: 2,
      chainId,
      nonce,
      ...(call ?? { to: this.address, data: '0x', gasLimit: GAS_LIMIT_MIN }),
      maxFeePerGas: maxFee,
      maxPriorityFeePerGas: tip,
    });
    const { signRecoverable } = await import('tiny-secp256k1');
    const digest = getBytes(transaction.unsignedHash);
    const { signature, recoveryId } = signRecoverable(digest, getBytes(this.key.privateKey));
    const [r, s] = [hexlify(signature.subarray(0, 32)), hexlify(signature.subarray(32))];
    transaction.signature = Signature.from({ r, s, yParity: recoveryId as 0 | 1 });
    const raw = transaction.serialized;
    return { tx: keccak256(raw), raw, relayer: this.address, relayerNonce: nonce, fee: maxFee.toString() };
  }
}

/**
 * Sends a signed transaction to one node. Succeeds if the node has it already. Throws `TransactionRejected`, or
 * `UnusableAnswer` without a verdict.
 */
export async function sendRawTransaction(address: RpcAddress, raw: string): Promise<void> {
  const [answer] = await address.batch({ method: 'eth_sendRawTransaction', params: [raw] });
  if (!answer || 'result' in answer) return void parseWord(requireResult(answer));
  const { message } = answer.refusal;
  const verdict = classifyRefusal(answer.refusal);
  if (verdict === 'known') return;
  if (verdict === 'unknown') throw new UnusableAnswer(`An RPC node refused: ${message}`);
  const pending = await address.call('eth_getTransactionByHash', keccak256(raw));
  if (pending === null) throw new TransactionRejected(message);
}
