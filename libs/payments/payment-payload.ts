import { parsePaymentPayload, type PaymentPayloadV1, type PaymentPayloadV2 } from '@x402/core/schemas';
import { getAddress } from 'ethers/address';
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { parseAuthorization, type PaymentSource } from './authorization.js';
import type { Rail, TransferAuthorization } from './chain.port.js';
import { RAILS } from './rails.js';

/** The longest payment that is read, in characters as it was sent. */
export const PAYMENT_CHARS_MAX = 16 * 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const CAIP2 = /^eip155:[1-9]\d{0,19}$/;
/** Stands for a chain or a token of which no payment can be taken here. */
const UNKNOWN = 'unknown';

/** The entry of an offer that a payment of version 2 says it accepts. */
export type AcceptedEntry = PaymentPayloadV2['accepted'];

/** A payment as it came with a request, decoded and brought to one form: addresses with checksum, hex in lower case. */
export interface PaymentPayload {
  readonly version: 1 | 2;
  readonly source: PaymentSource;
  readonly scheme: string;
  /** CAIP-2: `eip155:8453`; where no rail has it, as the payment names it. */
  readonly network: string;
  /** The token's address, or `UNKNOWN`. */
  readonly asset: string;
  /** Null in version 1, whose payments name no entry. */
  readonly accepted: AcceptedEntry | null;
  readonly authorization: TransferAuthorization;
  /** 0x hex, not checked yet. */
  readonly signature: string;
  /** `<chain id>:<asset>:<payer>:<authorization nonce>`, lower case: what the payment's stream is named after. */
  readonly paymentId: string;
}

/** The places of a request where a payment can stand. An empty text counts as none. */
export interface PaymentCarriers {
  /** Header `PAYMENT-SIGNATURE`. */
  readonly paymentSignature?: string;
  /** Header `X-PAYMENT`. */
  readonly xPayment?: string;
  /** Field `x402_payment`. */
  readonly field?: string;
}

/**
 * Reads the payment of a request, of x402 version 1 or 2, wherever it stands; null where there is none.
 *
 * Errors: a 400 about the place: more than one payment, or one that is no base64 of JSON, of an unknown `x402Version`,
 * or incomplete. A payment for a network or token without a rail is read, and then accepted by no offer.
 */
export function readPaymentPayload(places: PaymentCarriers, rails: readonly Rail[] = RAILS): PaymentPayload | null {
  const [first, second] = findPayments(places);
  if (!first) return null;
  const { source } = second ?? first;
  fieldRule(
    second === undefined,
    source,
    `${source} must be left out: ${first.source} holds a payment already.`,
    'repeated',
  );
  const payload = decodePayload(first.source, first.text);
  return payload.x402Version === 1 ? parseV1(first.source, payload, rails) : parseV2(first.source, payload);
}

function findPayments({
  paymentSignature,
  xPayment,
  field,
}: PaymentCarriers): { source: PaymentSource; text: string }[] {
  const places: [PaymentSource, string | undefined][] = [
    ['PAYMENT-SIGNATURE', paymentSignature],
    ['X-PAYMENT', xPayment],
    ['x402_payment', field],
  ];
  return places.flatMap(([source, text]) => (text ? [{ source, text }] : []));
}

function decodePayload(source: PaymentSource, text: string): PaymentPayloadV1 | PaymentPayloadV2 {
  fieldRule(
    text.length <= PAYMENT_CHARS_MAX,
    source,
    `${source} has at most ${PAYMENT_CHARS_MAX} characters.`,
    'too_long',
  );
  const json = parseBase64Json(text);
  fieldRule(
    typeof json === 'object' && json !== null,
    source,
    `${source} must be the base64 of a JSON object.`,
    'malformed',
  );
  const { x402Version: version } = json as { x402Version?: unknown };
  fieldRule(version === 1 || version === 2, source, `\`x402Version\` in ${source} must be 1 or 2.`, 'unknown_value');
  const parsed = parsePaymentPayload(json);
  fieldRule(
    parsed.success,
    source,
    `${source} is not a payment of x402 version ${version}${issuePath(parsed.error?.issues)}.`,
    'malformed',
  );
  return parsed.data;
}

function parseBase64Json(text: string): unknown {
  if (!BASE64.test(text)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64')));
  } catch {
    return undefined;
  }
}

function issuePath(issues: readonly { path: (string | number)[] }[] = []): string {
  const path = issues[0]?.path.join('.');
  return path ? `: look at \`${path.slice(0, 100)}\`` : '';
}

function parseV1(
  source: PaymentSource,
  { scheme, network, payload }: PaymentPayloadV1,
  rails: readonly Rail[],
): PaymentPayload {
  const rail = rails.find(rail => rail.short === network || rail.network === network);
  const named = { network: rail?.network ?? network, asset: rail?.asset ?? UNKNOWN };
  return normalizePayload({ version: 1, source, scheme, ...named, accepted: null }, payload);
}

function parseV2(source: PaymentSource, { accepted, payload }: PaymentPayloadV2): PaymentPayload {
  const { scheme, network, asset } = accepted;
  const token = EVM_ADDRESS.test(asset) ? getAddress(asset.toLowerCase()) : UNKNOWN;
  return normalizePayload({ version: 2, source, scheme, network, asset: token, accepted }, payload);
}

type PayloadTerms = Omit<PaymentPayload, 'authorization' | 'signature' | 'paymentId'>;

function normalizePayload(entry: PayloadTerms, payload: { [name: string]: unknown }): PaymentPayload {
  const { authorization, signature } = parseAuthorization(entry.source, payload);
  const chainId = CAIP2.test(entry.network) ? entry.network.slice('eip155:'.length) : UNKNOWN;
  const paymentId = [chainId, entry.asset, authorization.from, authorization.nonce].join(':').toLowerCase();
  return { ...entry, authorization, signature, paymentId };
}
