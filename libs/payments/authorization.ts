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
  const fields = typeof authorization === 'object' ? (authorization as { [name: string]: unknown } | null) : null;
  fieldRule(fields !== null, source, `${source} must hold an EIP-3009 authorization of a transfer.`, 'malformed');
  fieldRule(isText(signature, HEX), source, `The signature in ${source} must be hex.`, 'malformed');
  const normalized: TransferAuthorization = {
    from: parseAddress(source, fields, 'from'),
    to: parseAddress(source, fields, 'to'),
    value: parseDecimal(source, fields, 'value'),
    validAfter: parseDecimal(source, fields, 'validAfter'),
    validBefore: parseDecimal(source, fields, 'validBefore'),
    nonce: parseNonce(source, fields),
  };
  return { authorization: normalized, signature: signature.toLowerCase() };
}

type RawAuthorization = { readonly [name: string]: unknown };

const isText = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value);

function parseAddress(source: PaymentSource, fields: RawAuthorization, name: string): string {
  const value = fields[name];
  fieldRule(
    isText(value, EVM_ADDRESS),
    source,
    `\`authorization.${name}\` in ${source} must be an address.`,
    'malformed',
  );
  return getAddress(value.toLowerCase());
}

function parseNonce(source: PaymentSource, fields: RawAuthorization): string {
  fieldRule(
    isText(fields['nonce'], NONCE),
    source,
    `\`authorization.nonce\` in ${source} must be 32 bytes of hex.`,
    'malformed',
  );
  return fields['nonce'].toLowerCase();
}

/** Some clients send these as numbers. */
function parseDecimal(source: PaymentSource, fields: RawAuthorization, name: string): string {
  const value =
    typeof fields[name] === 'number' && Number.isSafeInteger(fields[name]) ? String(fields[name]) : fields[name];
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
