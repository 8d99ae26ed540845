import type { BaseWallet } from 'ethers';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import type { HeaderFields, RawAgent, Reply, SignedBody } from './raw-agent.js';
import type { Token, Transfer } from './token.js';
import type { World } from './world.js';
import {
  encodeBase64Json,
  readOffer,
  type OfferedEntry,
  type SignedPayload,
  signPayload,
  decodeBase64Json,
  encodePaymentV2,
} from './x402.js';

const TRIES_MAX = 10;

/** Service of a purchase: in this process or in one that is killed. */
export type PurchaseWorld = Pick<World, 'url' | 'now' | 'token' | 'raw' | 'fund' | 'page'>;

interface PurchaseTerms {
  readonly endpoint: string;
  readonly agent: RawAgent;
  readonly wallet: BaseWallet;
  readonly fields: SignableFields;
  readonly rail: string;
}

export interface SignedPurchase extends SignedPayload {
  readonly id: string;
  readonly headers: HeaderFields;
}

/** Makes a purchase at a paid endpoint over HTTP, step by step. */
export class PurchaseFixture<P extends PurchaseWorld = World> {
  readonly token: Token;

  constructor(
    readonly world: P,
    readonly terms: PurchaseTerms,
  ) {
    this.token = world.token(terms.rail);
  }

  body(fields: SignableFields = {}): SignedBody {
    return this.terms.agent.signed(this.terms.endpoint, { ...this.terms.fields, ...fields });
  }

  send(body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return this.terms.agent.resend(this.terms.endpoint, body, headers);
  }

  offer(): Promise<Reply> {
    return this.send(this.body());
  }

  /** Signs a payment of the offer; `changed` is applied before signing. */
  async sign(changed: Partial<TransferAuthorization> = {}): Promise<SignedPurchase> {
    const reply = onRail(await this.offer(), this.terms.rail);
    const signed = await signPayload(this.terms.wallet, reply, this.world.now(), changed);
    return {
      ...signed,
      id: paymentId(reply, signed),
      headers: { 'payment-signature': encodePaymentV2(reply, signed) },
    };
  }

  pay({ headers }: SignedPurchase, fields: SignableFields = {}): Promise<Reply> {
    return this.send(this.body(fields), headers);
  }

  /** Repeats the payment while it is pending. */
  async payUntilSettled({ headers }: SignedPurchase, body?: SignedBody): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await this.send(body ?? this.body(), headers);
      if (reply.body['code'] !== 'settlement_pending' || tries === TRIES_MAX) return reply;
    }
  }

  async buy(): Promise<Reply> {
    return this.payUntilSettled(await this.sign());
  }

  eventTypes(this: PurchaseFixture, { id }: SignedPurchase): Promise<string[]> {
    return this.world.eventTypes(`payment-${id}`);
  }

  transfers({ authorization: { from, to } }: SignedPurchase): Promise<Transfer[]> {
    return this.token.transfers(from, to);
  }
}

export function onRail(reply: Reply, rail: string): Reply {
  const { network } = RAILS.find(({ name }) => name === rail)!;
  const offer = readOffer(reply);
  const accepts = offer.accepts.filter((entry: OfferedEntry) => entry.network === network);
  return { ...reply, headers: new Headers({ 'payment-required': encodeBase64Json({ ...offer, accepts }) }) };
}

function paymentId(reply: Reply, { authorization }: SignedPayload): string {
  const { network, asset } = readOffer(reply).accepts[0]!;
  return [network.slice('eip155:'.length), asset, authorization.from, authorization.nonce].join(':').toLowerCase();
}

/** Decodes both settlement headers: v2 with the CAIP-2 network name, v1 with the short name. */
export function settlementOf({ headers }: Reply) {
  const decoded = (name: string) => decodeBase64Json(headers.get(name)) as { [member: string]: unknown };
  return { v2: decoded('payment-response'), v1: decoded('x-payment-response') };
}
