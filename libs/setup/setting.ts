import { capitalise } from '#libs/kernel/capitalise.js';
import { EVM_ADDRESS, isUnspendableAddress } from '#libs/kernel/evm-address.js';
import { parseUrl } from '#libs/kernel/url.js';
import { AllowList } from '#libs/platform/safe-fetch/allow-list.js';

/** The process ends with one line per wrong setting. */
export class SettingError extends Error {
  constructor(name: string, sentence: string, more: readonly SettingError[] = []) {
    super([`${name}: ${sentence}`, ...more.map(({ message }) => message)].join('\n'));
    this.name = 'SettingError';
  }
}

export interface SettingProblem {
  readonly name: string;
  readonly sentence: string;
}

/** Reports all problems together, so that the operator can correct them at once. */
export function throwProblems(problems: readonly SettingProblem[]): void {
  const [first, ...more] = problems;
  if (first)
    throw new SettingError(
      first.name,
      first.sentence,
      more.map(({ name, sentence }) => new SettingError(name, sentence)),
    );
}

export type Environment = { readonly [name: string]: string | undefined };

export interface Setting<T> {
  readonly name: string;
  /** Default as `docs/settings.md` shows it, or empty. */
  readonly defaultText: string;
  /** Throws a sentence if the text is invalid. */
  readonly read: (text: string) => T;
}

/** An empty value counts as not set. */
export const settingText = ({ name }: { readonly name: string }, environment: Environment): string | undefined =>
  environment[name]?.trim() || undefined;

export function readSetting<T>(setting: Setting<T>, environment: Environment): { readonly value: T } | SettingProblem {
  try {
    return { value: setting.read(settingText(setting, environment) ?? setting.defaultText) };
  } catch (error) {
    return { name: setting.name, sentence: (error as Error).message };
  }
}

function fail(sentence: string): never {
  throw new Error(sentence);
}

export const text = (value: string) => value;

export const oneOf =
  <const T extends readonly string[]>(...values: T) =>
  (value: string): T[number] =>
    values.includes(value) ? value : fail(`"${value}" must be one of ${values.join(', ')}.`);

export function port(value: string): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  return number <= 65_535 ? number : fail(`"${value}" must be a port from 0 to 65535.`);
}

export function wholeNumber(value: string): number {
  return /^\d{1,9}$/.test(value) ? Number(value) : fail(`"${value}" must be a whole number.`);
}

export function count(value: string): number {
  const number = wholeNumber(value);
  return number > 0 ? number : fail('it must be at least 1.');
}

const DAYS_MAX = 36_500;

export function days(value: string): number {
  const number = count(value);
  return number <= DAYS_MAX ? number : fail(`it must be at most ${DAYS_MAX}.`);
}

/** `safe`, or a depth in blocks. */
export function finality(value: string): 'safe' | number {
  if (value === 'safe') return value;
  return /^\d{1,9}$/.test(value) && Number(value) > 0
    ? Number(value)
    : fail(`"${value}" must be safe or a number of blocks.`);
}

export function ports(value: string): readonly [number, number] {
  const [first, second, ...rest] = value.split(',').map(part => port(part.trim()));
  if (first === undefined || second === undefined || rest.length > 0)
    return fail(`"${value}" must be two ports, comma separated.`);
  if (first === second && first !== 0)
    return fail(`"${value}" names the same port twice: the two nodes need different ports.`);
  return [first, second];
}

export const list = (value: string): readonly string[] =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

const SLUG = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** `dev,jobs=Work`. The default title is the capitalised slug. */
export function boards(value: string): readonly { readonly slug: string; readonly title: string }[] {
  const all = list(value).map(entry => {
    const [slug = '', title = capitalise(slug)] = entry.split('=').map(part => part.trim());
    return SLUG.test(slug) && title !== '' ? { slug, title } : fail(`"${entry}" must be a slug, or slug=title.`);
  });
  const duplicate = all.find(({ slug }, at) => all.findIndex(other => other.slug === slug) < at);
  return duplicate ? fail(`"${duplicate.slug}" is listed twice.`) : all;
}

const isHttpAddress = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

/** An RPC address may hold a key, so the sentence gives its number instead of the address. */
export function rpcAddresses(value: string): readonly string[] {
  const all = list(value);
  const wrong = all.findIndex(entry => !isHttpAddress(entry));
  return wrong < 0 ? all : fail(`address ${wrong + 1} of ${all.length} must be an http or https address.`);
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/**
 * Pages load https only, `fetch` takes no password, and CSP cannot name an IPv6 address (CSP 3, 2.3.1). The address
 * may hold a key, so the sentence does not repeat it.
 */
export function browserRpc(value: string): string {
  const url = /[\s,]/.test(value) ? null : parseUrl(value);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname));
  if (!url || !isSafe || !/^[a-z0-9.-]+$/.test(url.hostname))
    return fail('it must be one https address with a name or an IPv4 address, or one of localhost.');
  if (`${url.username}${url.password}${url.hash}` !== '')
    return fail('it is public: it must be an address without user name, password and fragment.');
  return url.href;
}

export function address(value: string): string {
  const [first, ...more] = list(value);
  const shown = value.includes('@') ? 'it' : `"${value}"`;
  if (first !== undefined && !isHttpAddress(first)) return fail(`${shown} must be an http or https address.`);
  if (first === undefined || more.length > 0) return fail(`${shown} must be one http or https address.`);
  requirePlainAddress(first);
  return first.replace(/\/+$/, '');
}

/** The address is public, and paths are appended to it. The sentence does not repeat a possible password. */
function requirePlainAddress(text: string): void {
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` !== '')
    fail('it must be an address without user name, password, query and fragment.');
}

/** A contact in the form of RFC 9116, 2.5.3: web addresses must be https. */
export function contact(value: string): string {
  const isContact = /^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/.test(value) && parseUrl(value) !== null;
  return isContact ? value : fail(`"${value}" must be an address that begins with mailto:, https:// or tel:.`);
}

const SIBLING_ADDRESS_CHARACTERS_MAX = 400;

/** Paths are appended to the address. It may hold a password, so the sentence does not repeat it. */
export function sibling(value: string): string {
  if (!isHttpAddress(value) || /[\s,]/.test(value) || value.length > SIBLING_ADDRESS_CHARACTERS_MAX)
    return fail('it must be one http or https address.');
  requirePlainAddress(value);
  return value.replace(/\/+$/, '');
}

/** The address may hold a password, so the sentence does not repeat it. */
export function mongodb(value: string): string {
  return /^mongodb(\+srv)?:\/\/[^/\s,]+(,[^/\s,]+)*\/[^/?\s]+(\?\S*)?$/.test(value)
    ? value
    : fail('it must be mongodb://host:27017/name?replicaSet=rs0, with the name of a database.');
}

export function wallet(value: string): string {
  if (!EVM_ADDRESS.test(value)) return fail(`"${value}" must be 0x and 40 hex digits.`);
  return isUnspendableAddress(value) ? fail(`"${value}" has no owner: payments to it are lost.`) : value;
}

/** Entries of the form `host:port`. */
export function hosts(value: string): readonly string[] {
  const all = list(value);
  new AllowList(all);
  return all;
}

export function pattern(expression: RegExp, mustBe: string) {
  return (value: string): string => (expression.test(value) ? value : fail(`"${value}" must be ${mustBe}.`));
}
