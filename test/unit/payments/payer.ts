import { Wallet } from 'ethers';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import { offerEntry } from '#libs/payments/offers.js';
import { readPaymentPayload, type PaymentPayload } from '#libs/payments/payment-payload.js';
import type { Price } from '#libs/payments/purchase.js';
import { encodeBase64Json, signAuthorization } from '../../x402.js';

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
    return { authorization, signature: await signAuthorization(this.wallet, rail, authorization) };
  }

  async pay(
    price: Price,
    rail: Rail,
    nowMs: number,
    changed: Partial<TransferAuthorization> = {},
  ): Promise<PaymentPayload> {
    const payload = await this.payload(price, rail, nowMs, changed);
    const paymentSignature = encodeBase64Json({ x402Version: 2, accepted: offerEntry(price, rail), payload });
    return readPaymentPayload({ paymentSignature })!;
  }
}
