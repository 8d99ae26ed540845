import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { SEED_BYTES } from '#libs/platform/signing/ed25519.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import type { FacilitatorSettings } from '#libs/payments/facilitator.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

/** Trims the text. Error messages never contain it. */
function readSecret(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingError(setting, `cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Order of secp256k1 (SEC 2, 2.4.1). Private keys are smaller. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** One line: 0x and 64 hex digits. */
export function readAccountKey(setting: string, file: string): string {
  return parseAccountKey(setting, readSecret(setting, file));
}

export function readHouseWalletKey({ houseWalletKeyFile: file }: { readonly houseWalletKeyFile: string | null }) {
  return file === null ? null : readAccountKey('HOUSE_WALLET_KEY_FILE', file);
}

function parseAccountKey(setting: string, line: string): string {
  if (!/^0x[0-9a-fA-F]{64}$/.test(line)) throw new SettingError(setting, 'must hold one line: 0x and 64 hex digits.');
  const key = BigInt(line);
  if (key === 0n || key >= CURVE_ORDER) throw new SettingError(setting, 'does not hold a private key of secp256k1.');
  return line;
}

/** Reads comma separated files with one key per line. */
export function readRelayerKeys(files: string): string[] {
  const setting = 'RELAYER_KEY_FILE';
  const names = files.split(',').map(name => name.trim());
  if (names.includes('')) throw new SettingError(setting, 'has no file name between two commas.');
  const lines = names.flatMap(name => readSecret(setting, name).split(/\r?\n/));
  const keys = lines.map(line => parseAccountKey(setting, line.trim()).toLowerCase());
  if (new Set(keys).size < keys.length) throw new SettingError(setting, 'contains a key twice.');
  return keys;
}

/** Keys of the accounts that send transactions. A facilitator has its own. */
export function accountKeys({ chain, relayerKeyFile }: Pick<Settings, 'chain' | 'relayerKeyFile'>): string[] {
  if (chain === 'facilitator') return [];
  return chain === 'dev' ? [DEV_RELAYER_KEY] : readRelayerKeys(relayerKeyFile!);
}

/** One line of 43 base64url characters (the seed), or a PKCS #8 PEM (RFC 8410). */
export function readEd25519Seed(setting: string, file: string): Uint8Array {
  const text = readSecret(setting, file);
  const seed = text.startsWith('-----BEGIN') ? parseSeedPem(text) : decodeBase64url(text, SEED_BYTES);
  if (!seed)
    throw new SettingError(setting, 'must hold 43 base64url characters (the seed) or a PKCS #8 PEM of an ed25519 key.');
  return seed;
}

function parseSeedPem(pem: string): Uint8Array | null {
  try {
    const { d, crv } = createPrivateKey(pem).export({ format: 'jwk' });
    return crv === 'Ed25519' && d !== undefined ? decodeBase64url(d, SEED_BYTES) : null;
  } catch {
    return null;
  }
}

/** An address with a user and no password. */
const USER_WITHOUT_PASSWORD = /^(mongodb(?:\+srv)?:\/\/[^:@/]+)@/;

/** Adds the password to `MONGODB_URL`. Throws if the address does not name a user without a password. */
export function withPassword(url: string | null, file: string | null): string | null {
  if (file === null || url === null) return url;
  if (!USER_WITHOUT_PASSWORD.test(url)) {
    const sentence = 'MONGODB_URL must name a user without a password: mongodb://user@host:27017/name?authSource=admin';
    throw new SettingError('MONGODB_PASSWORD_FILE', sentence);
  }
  const password = encodeURIComponent(readSecret('MONGODB_PASSWORD_FILE', file));
  return url.replace(USER_WITHOUT_PASSWORD, (_all, user: string) => `${user}:${password}@`);
}

const HEADERS_FORM = 'must hold JSON: {"verify": {"<header>": "<value>"}, "settle": {}, "supported": {}}.';
const ENDPOINTS = ['verify', 'settle', 'supported'];

/** Headers of authentication by endpoint of the facilitator. */
export function readFacilitatorHeaders(file: string): FacilitatorSettings['headers'] {
  const setting = 'FACILITATOR_HEADERS_FILE';
  let headers: unknown;
  try {
    headers = JSON.parse(readSecret(setting, file));
  } catch (error) {
    if (error instanceof SettingError) throw error;
  }
  if (!isTable(headers) || !Object.entries(headers).every(isHeadersOfEndpoint))
    throw new SettingError(setting, HEADERS_FORM);
  return headers;
}

const isTable = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isHeadersOfEndpoint = ([endpoint, headers]: [string, unknown]) =>
  ENDPOINTS.includes(endpoint) && isTable(headers) && Object.values(headers).every(value => typeof value === 'string');
