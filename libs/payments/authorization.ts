import { getAddress } from 'ethers/address';
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { TransferAuthorization } from './chain.port.js';

export type PaymentSource = 'PAYMENT-SIGNATURE' | 'X-PAYMENT' | 'x402_payment';

const NONCE = /^0x[0-9a-fA-F]{64}$/;
const HEX = /^0x(?:[0-9a-fA-F]{2})+$/;
const DECIMAL = /^\d{1,78}$/;
const UINT256_MAX = 2n ** 256n - 1n;

export function parseAuthorization(source: PaymentSource, { authorization, signature }: { [name: string]: unknown }) {
  const given = typeof authorization === 'object' ? (authorization as { [name: string]: unknown } | null) : null;
  fieldRule(given !== null, source, `${source} holds no authorization of a transfer (EIP-3009).`, 'malformed');
  fieldRule(isText(signature, HEX), source, `The signature in ${source} must be hex.`, 'malformed');
  const normal: TransferAuthorization = {
    from: parseAddress(source, given, 'from'),
    to: parseAddress(source, given, 'to'),
    value: parseDecimal(source, given, 'value'),
    validAfter: parseDecimal(source, given, 'validAfter'),
    validBefore: parseDecimal(source, given, 'validBefore'),
    nonce: parseNonce(source, given),
  };
  return { authorization: normal, signature: signature.toLowerCase() };
}

type RawAuthorization = { readonly [name: string]: unknown };

const isText = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value);

function parseAddress(source: PaymentSource, given: RawAuthorization, name: string): string {
  const value = given[name];
  fieldRule(
    isText(value, EVM_ADDRESS),
    source,
    `\`authorization.${name}\` in ${source} must be an address.`,
    'malformed',
  );
  return getAddress(value.toLowerCase());
}

function parseNonce(source: PaymentSource, given: RawAuthorization): string {
  fieldRule(
    isText(given['nonce'], NONCE),
    source,
    `\`authorization.nonce\` in ${source} must be 32 bytes of hex.`,
    'malformed',
  );
  return given['nonce'].toLowerCase();
}

/** Some clients send these as numbers. */
function parseDecimal(source: PaymentSource, given: RawAuthorization, name: string): string {
  const value =
    typeof given[name] === 'number' && Number.isSafeInteger(given[name]) ? String(given[name]) : given[name];
  fieldRule(
    isText(value, DECIMAL),
    source,
    `\`authorization.${name}\` in ${source} must be a whole number.`,
    'malformed',
  );
  fieldRule(
    BigInt(value) <= UINT256_MAX,
    source,
    `\`authorization.${name}\` in ${source} is too large.`,
    'out_of_range',
  );
  return BigInt(value).toString();
}
