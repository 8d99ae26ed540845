import { Wallet } from 'ethers';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import { offerEntry } from '#libs/payments/offers.js';
import { readPaymentPayload, type PaymentPayload } from '#libs/payments/payment-payload.js';
import type { Price } from '#libs/payments/purchase.js';

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

/** Agent with a wallet that pays like an x402 client. */
export class Payer {
  readonly wallet: Wallet;
  private count = 0;

  constructor(readonly name: string) {
    this.wallet = new Wallet(`0x${sha256Hex(name)}`);
  }

  get address(): string {
    return this.wallet.address;
  }

  async payload(price: Price, rail: Rail, nowMs: number, changed: Partial<TransferAuthorization> = {}) {
    const seconds = Math.floor(nowMs / 1000);
    const authorization: TransferAuthorization = {
      from: this.address,
      to: price.payTo,
      value: price.amount.toString(),
      validAfter: String(seconds - 600),
      validBefore: String(seconds + 300),
      nonce: `0x${sha256Hex(`${this.name}/${(this.count += 1)}`)}`,
      ...changed,
    };
    const domain = { ...rail.domain, chainId: rail.chainId, verifyingContract: rail.asset };
    return { authorization, signature: await this.wallet.signTypedData(domain, TYPES, authorization) };
  }

  async pay(
    price: Price,
    rail: Rail,
    nowMs: number,
    changed: Partial<TransferAuthorization> = {},
  ): Promise<PaymentPayload> {
    const payload = await this.payload(price, rail, nowMs, changed);
    const paymentSignature = base64({ x402Version: 2, accepted: offerEntry(price, rail), payload });
    return readPaymentPayload({ paymentSignature })!;
  }
}
