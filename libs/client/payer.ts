import { hex } from '@scure/base';
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { isJsonObject, type Json, type JsonObject } from '#libs/kernel/json.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { PaymentDeclined } from './errors.js';
import { randomBytes } from './random.js';
import { KNOWN_TOKENS, type KnownToken } from './known-tokens.js';
import type { EscrowTerms } from './auth-capture.js';
import { decodePaymentHeader, encodePaymentHeader } from './payment-headers.js';
import type { ServiceClock } from './service-clock.js';

/** Signs payments: an ethers `Wallet` or any other `Signer`. */
export interface PaymentSigner {
  getAddress(): Promise<string>;
  signTypedData(
    domain: { name: string; version: string; chainId: number; verifyingContract: string },
    types: Record<string, { name: string; type: string }[]>,
    value: Record<string, unknown>,
  ): Promise<string>;
}

/** A signed payment, sent with every repetition of its operation. */
export interface SignedPayment {
  /** Value of the header `PAYMENT-SIGNATURE` (x402 version 2). */
  readonly header: string;
  /**
   * Certain expiry, in unix ms of the client's own clock: not before `validBefore`, and not before its lifetime has
   * passed since signing.
   */
  readonly expiredAt: number;
}

/** Maximum validity of an authorization in seconds. */
const VALID_SECONDS = 300;
const NONCE_BYTES = 32;
const ESCROW_SCHEME = 'auth-capture';
const AMOUNT = /^[0-9]{1,30}$/;

export interface Price {
  /** Smallest units. */
  readonly amount: bigint;
  readonly rail: string;
  readonly payTo: string;
  /** Description by the service. */
  readonly description: string;
  /** Unix s until which an escrow can hold the money; null for a payment that goes to the receiver at once. */
  readonly heldUntil: number | null;
}

/** Called before anything is signed. An error prevents the payment. */
export interface PaymentGuard {
  commit(price: Price): void | Promise<void>;
}

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];

/** The part of an x402 offer (version 2) that a payment needs. */
interface Offer extends JsonObject {
  readonly resource: JsonObject;
  readonly accepts: readonly OfferEntry[];
}

interface OfferEntry extends JsonObject {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
}

const ENTRY_TEXTS = ['scheme', 'network', 'asset', 'amount', 'payTo'] as const;

interface PaymentChoice {
  readonly token: KnownToken;
  readonly entry: OfferEntry;
  /** Null for the scheme `exact`. */
  readonly escrow: EscrowTerms | null;
}

/**
 * Pays x402 offers of the schemes `exact` and `auth-capture` by signing an EIP-3009 authorization. The service submits
 * it.
 */
export class Payer {
  constructor(
    private readonly wallet: (() => Promise<PaymentSigner>) | null,
    private readonly guard: PaymentGuard,
    private readonly clock: ServiceClock,
    private readonly rails: readonly string[],
  ) {}

  /** Pays the offer in the header `PAYMENT-REQUIRED`. Throws `PaymentDeclined` if this client does not pay it. */
  async pay(offerHeader: string | null): Promise<SignedPayment> {
    const offer = readOffer(offerHeader);
    const choice = await choosePayment(offer.accepts, this.rails, this.clock.now());
    const { wallet } = this;
    const price = priceOf(offer, choice);
    if (!wallet) throw noWalletError(price);
    await this.guard.commit(price);
    const signer = await wallet();
    const validSeconds = Math.min(Math.floor(choice.entry.maxTimeoutSeconds), VALID_SECONDS);
    const validBefore = Math.floor(this.clock.now() / SECOND_MS) + validSeconds;
    const expiredAt = Math.max(validBefore * SECOND_MS, this.clock.localNow() + validSeconds * SECOND_MS);
    return { header: await signPayment(signer, offer, choice, validBefore), expiredAt };
  }
}

const priceOf = ({ resource }: Offer, { token, entry, escrow }: PaymentChoice): Price => ({
  amount: BigInt(entry.amount),
  rail: token.rail,
  payTo: entry.payTo,
  description: typeof resource['description'] === 'string' ? resource['description'] : '',
  heldUntil: escrow?.deadline ?? null,
});

function noWalletError({ amount, rail }: Price): PaymentDeclined {
  const price = `${formatUsdAmount(amount)} USD on ${rail}`;
  return new PaymentDeclined('no_wallet', `This costs ${price}. Give the client a wallet.`);
}

function readOffer(header: string | null): Offer {
  const offer = decodePaymentHeader(header);
  if (!isOffer(offer)) throw unknownOfferError('The answer has no offer of x402 version 2.');
  return offer;
}

const isOffer = (offer: Json | undefined): offer is Offer =>
  isJsonObject(offer) &&
  offer['x402Version'] === 2 &&
  isJsonObject(offer['resource']) &&
  Array.isArray(offer['accepts']) &&
  offer['accepts'].every(isOfferEntry);

const isOfferEntry = (entry: Json): entry is OfferEntry =>
  isJsonObject(entry) &&
  ENTRY_TEXTS.every(name => typeof entry[name] === 'string') &&
  typeof entry['maxTimeoutSeconds'] === 'number' &&
  entry['maxTimeoutSeconds'] > 0;

/** Returns the first preferred rail whose offer matches the known token. */
async function choosePayment(
  accepts: readonly OfferEntry[],
  rails: readonly string[],
  now: number,
): Promise<PaymentChoice> {
  for (const rail of rails) {
    const token = KNOWN_TOKENS.find(each => each.rail === rail);
    for (const entry of token ? accepts.filter(option => isPayable(option, token)) : []) {
      const escrow = entry.scheme === ESCROW_SCHEME ? await readEscrow(entry, token!, now) : null;
      if (escrow || entry.scheme === 'exact') return { token: token!, entry, escrow };
    }
  }
  throw unknownOfferError(
    `The offer has no supported rail with a known token. Supported rails are ${rails.join(', ')}.`,
  );
}

/** Loads the code of escrows only for an offer that has one. */
async function readEscrow({ extra }: OfferEntry, { chainId }: KnownToken, now: number): Promise<EscrowTerms | null> {
  const { readEscrowTerms } = await import('./auth-capture.js');
  return isJsonObject(extra) ? readEscrowTerms(extra, chainId, now) : null;
}

function isPayable({ network, asset, amount, payTo, extra }: OfferEntry, token: KnownToken): boolean {
  return (
    network === token.network &&
    asset.toLowerCase() === token.asset.toLowerCase() &&
    isJsonObject(extra) &&
    extra['name'] === token.name &&
    extra['version'] === token.version &&
    AMOUNT.test(amount) &&
    EVM_ADDRESS.test(payTo)
  );
}

function unknownOfferError(message: string): PaymentDeclined {
  return new PaymentDeclined('unknown_offer', message);
}

async function signPayment(
  signer: PaymentSigner,
  offer: Offer,
  { token, entry, escrow }: PaymentChoice,
  validBefore: number,
): Promise<string> {
  const { name, version, chainId, asset: verifyingContract } = token;
  const { payTo, amount: value } = entry;
  const bound = escrow && (await bindToEscrow(escrow, entry, verifyingContract, validBefore));
  const authorization = {
    from: await signer.getAddress(),
    to: escrow?.collector ?? payTo,
    value,
    validAfter: '0',
    validBefore: String(validBefore),
    nonce: bound?.nonce ?? `0x${hex.encode(randomBytes(NONCE_BYTES))}`,
  };
  // Only the collector of the escrow can submit such an authorization.
  const type = escrow ? 'ReceiveWithAuthorization' : 'TransferWithAuthorization';
  const domain = { name, version, chainId, verifyingContract };
  const signature = await signer.signTypedData(domain, { [type]: AUTHORIZATION }, authorization);
  const payload = { signature, authorization, ...(bound && { salt: bound.salt }) };
  return encodePaymentHeader({ x402Version: 2, resource: offer.resource, accepted: entry, payload });
}

async function bindToEscrow(
  escrow: EscrowTerms,
  { payTo, amount }: OfferEntry,
  token: string,
  validBefore: number,
): Promise<{ readonly salt: string; readonly nonce: string }> {
  const { newEscrowNonce } = await import('./auth-capture.js');
  return newEscrowNonce(escrow, { receiver: payTo, token, amount, validBefore });
}
