import { parsePaymentPayload, type PaymentPayloadV1, type PaymentPayloadV2 } from '@x402/core/schemas';
import { getAddress } from 'ethers/address';
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { Rail, TransferAuthorization } from './chain.port.js';
import { PAYMENT_IDENTIFIER, PAYMENT_IDENTIFIER_FORM, readPaymentIdentifier } from './payment-identifier.js';
import { RAILS } from './rails.js';
import type { AcceptedEntry } from './scheme.js';

export const PAYMENT_CHARS_MAX = 16 * 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const CAIP2 = /^eip155:[1-9]\d{0,19}$/;
const UNKNOWN = 'unknown';

/** A decoded and normalised payment: addresses with checksum, hex in lower case. */
export interface PaymentPayload {
  readonly version: 1 | 2;
  readonly source: PaymentSource;
  readonly scheme: string;
  /** CAIP-2: `eip155:8453`. Without a matching rail, as the payment names it. */
  readonly network: string;
  readonly asset: string;
  readonly accepted: AcceptedEntry | null;
  readonly authorization: TransferAuthorization;
  readonly signature: string;
  /** `<chain id>:<asset>:<payer>:<authorization nonce>`, lower case. Names the stream. */
  readonly paymentId: string;
  /** Random part of the terms that the nonce commits to: 0x hex, only with the scheme `auth-capture`. */
  readonly salt: string | null;
  /** Id of the extension `payment-identifier`, which only version 2 has. */
  readonly identifier: string | null;
}

export interface PaymentCarriers {
  readonly paymentSignature?: string;
  readonly xPayment?: string;
  readonly field?: string;
}

/**
 * Reads the payment of a request, x402 version 1 or 2. A payment for an unknown network or token is read too.
 *
 * Errors: 400 for more than one payment, and for an invalid one.
 */
export function readPaymentPayload(carriers: PaymentCarriers, rails: readonly Rail[] = RAILS): PaymentPayload | null {
  const [first, second] = findPayments(carriers);
  if (!first) return null;
  const { source } = second ?? first;
  fieldRule(!second, source, `\`${source}\` must be omitted, because \`${first.source}\` holds a payment.`, 'repeated');
  const payload = decodePayload(first.source, first.text);
  return payload.x402Version === 1 ? parseV1(first.source, payload, rails) : parseV2(first.source, payload);
}

function findPayments(carriers: PaymentCarriers): { source: PaymentSource; text: string }[] {
  const places: [PaymentSource, string | undefined][] = [
    ['PAYMENT-SIGNATURE', carriers.paymentSignature],
    ['X-PAYMENT', carriers.xPayment],
    ['x402_payment', carriers.field],
  ];
  return places.flatMap(([source, text]) => (text ? [{ source, text }] : []));
}

function decodePayload(source: PaymentSource, text: string): PaymentPayloadV1 | PaymentPayloadV2 {
  const isShort = text.length <= PAYMENT_CHARS_MAX;
  fieldRule(isShort, source, `\`${source}\` must have at most ${PAYMENT_CHARS_MAX} characters.`, 'too_long');
  const json = parseBase64Json(text);
  requireForm(isObject(json), source, `\`${source}\` must be the base64 of a JSON object.`);
  const { x402Version: version } = json;
  fieldRule(
    version === 1 || version === 2,
    source,
    `\`x402Version\` in \`${source}\` must be 1 or 2.`,
    'unknown_value',
  );
  const parsed = parsePaymentPayload(json);
  const problem = issuePath(parsed.error?.issues);
  requireForm(parsed.success, source, `\`${source}\` is not a payment of x402 version ${version}${problem}.`);
  return parsed.data;
}

function requireForm(holds: boolean, source: PaymentSource, message: string): asserts holds {
  fieldRule(holds, source, message, 'malformed');
}

type RawFields = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is RawFields => typeof value === 'object' && value !== null;

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
  return path ? `: check \`${path.slice(0, 100)}\`` : '';
}

function parseV1(
  source: PaymentSource,
  { scheme, network, payload }: PaymentPayloadV1,
  rails: readonly Rail[],
): PaymentPayload {
  const rail = rails.find(rail => rail.short === network || rail.network === network);
  const terms = { network: rail?.network ?? network, asset: rail?.asset ?? UNKNOWN };
  return normalizePayload({ version: 1, source, scheme, ...terms, accepted: null, identifier: null }, payload);
}

function parseV2(source: PaymentSource, { accepted, payload, extensions }: PaymentPayloadV2): PaymentPayload {
  const { scheme, network, asset } = accepted;
  const identifier = readPaymentIdentifier(extensions);
  const path = `extensions.${PAYMENT_IDENTIFIER}.info.id`;
  requireForm(identifier !== undefined, source, `\`${path}\` in \`${source}\` must have ${PAYMENT_IDENTIFIER_FORM}.`);
  const tokenAddress = EVM_ADDRESS.test(asset) ? getAddress(asset.toLowerCase()) : UNKNOWN;
  return normalizePayload({ version: 2, source, scheme, network, asset: tokenAddress, accepted, identifier }, payload);
}

type PayloadTerms = Omit<PaymentPayload, 'authorization' | 'signature' | 'salt' | 'paymentId'>;

function normalizePayload(entry: PayloadTerms, payload: RawFields): PaymentPayload {
  const { source } = entry;
  const { authorization: fields, signature, salt = null } = payload;
  requireForm(isObject(fields), source, `\`${source}\` must hold an EIP-3009 authorization of a transfer.`);
  requireForm(isText(signature, HEX), source, `The signature in \`${source}\` must be hex.`);
  requireForm(salt === null || isText(salt, NONCE.form), source, `The salt in \`${source}\` must be 32 bytes of hex.`);
  const read = (name: keyof TransferAuthorization) => readField(source, fields, name);
  const authorization: TransferAuthorization = {
    from: getAddress(read('from').toLowerCase()),
    to: getAddress(read('to').toLowerCase()),
    value: parseDecimal(source, 'value', read('value')),
    validAfter: parseDecimal(source, 'validAfter', read('validAfter')),
    validBefore: parseDecimal(source, 'validBefore', read('validBefore')),
    nonce: read('nonce').toLowerCase(),
  };
  const chainId = CAIP2.test(entry.network) ? entry.network.slice('eip155:'.length) : UNKNOWN;
  const paymentId = [chainId, entry.asset, authorization.from, authorization.nonce].join(':').toLowerCase();
  return { ...entry, authorization, signature: signature.toLowerCase(), salt, paymentId };
}

type PaymentSource = 'PAYMENT-SIGNATURE' | 'X-PAYMENT' | 'x402_payment';

const HEX = /^0x(?:[0-9a-fA-F]{2})+$/;
const UINT256_MAX = 2n ** 256n - 1n;
const ADDRESS = { form: EVM_ADDRESS, expectation: 'an address' };
const DECIMAL = { form: /^\d{1,78}$/, expectation: 'a whole number' };
const NONCE = { form: /^0x[0-9a-fA-F]{64}$/, expectation: '32 bytes of hex' };
const FORMS = { from: ADDRESS, to: ADDRESS, value: DECIMAL, validAfter: DECIMAL, validBefore: DECIMAL, nonce: NONCE };

const isText = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value);

function readField(source: PaymentSource, fields: RawFields, name: keyof TransferAuthorization): string {
  const { form, expectation } = FORMS[name];
  // Some clients send decimals as numbers.
  const value = form === DECIMAL.form && Number.isSafeInteger(fields[name]) ? String(fields[name]) : fields[name];
  requireForm(isText(value, form), source, `\`authorization.${name}\` in \`${source}\` must be ${expectation}.`);
  return value;
}

function parseDecimal(source: PaymentSource, name: string, text: string): string {
  const value = BigInt(text);
  fieldRule(value <= UINT256_MAX, source, `\`authorization.${name}\` in \`${source}\` is too large.`, 'out_of_range');
  return value.toString();
}
