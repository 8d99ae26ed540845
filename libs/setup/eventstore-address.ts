import { statSync } from 'node:fs';

const EXPECTED_FORM = 'it must be esdb://host:2113?tls=false or kurrentdb://..., with +discover for a cluster.';
const HOST = /^[\w.-]+(:\d{1,5})?$/;
const OPTION_NAME = /^[a-z][\w-]*$/i;

function tryDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface OptionKind {
  readonly mustBe: string | ((value: string) => string);
  readonly isValid: (value: string) => boolean;
}

const BOOLEAN: OptionKind = { mustBe: 'must be true or false', isValid: value => /^(true|false)$/.test(value) };
const INTEGER: OptionKind = { mustBe: 'must be a whole number', isValid: value => /^-?\d+$/.test(value) };
const TEXT: OptionKind = { mustBe: 'must be text', isValid: () => true };
const findFile = (value: string) => statSync(tryDecode(value) ?? '', { throwIfNoEntry: false });
const FILE: OptionKind = {
  mustBe: value => (findFile(value) ? 'names a folder, not a file' : 'names a file that does not exist'),
  isValid: value => findFile(value)?.isDirectory() === false,
};
const NODE: OptionKind = {
  mustBe: 'must be leader, follower, readOnlyReplica or random',
  isValid: value => /^(leader|follower|readonlyreplica|random)$/.test(normalizeName(value)),
};
const VERIFY: OptionKind = {
  mustBe: 'cannot be false: name the certificate of the authority in tlsCAFile',
  isValid: value => value === 'true',
};

const THROW: OptionKind = {
  mustBe: 'cannot be false: the service would take a conflict for an outage',
  isValid: value => value === 'true',
};

const OPTIONS: { readonly [name: string]: OptionKind } = {
  tls: BOOLEAN,
  tlsVerifyCert: VERIFY,
  tlsCAFile: FILE,
  userCertFile: FILE,
  userKeyFile: FILE,
  connectionName: TEXT,
  nodePreference: NODE,
  throwOnAppendFailure: THROW,
  maxDiscoverAttempts: INTEGER,
  discoveryInterval: INTEGER,
  gossipTimeout: INTEGER,
  defaultDeadline: INTEGER,
  keepAliveInterval: INTEGER,
  keepAliveTimeout: INTEGER,
};

/** Clients ignore case, `-` and `_` in names of options. */
export const normalizeName = (name: string) => name.toLowerCase().replace(/[_-]/g, '');
const KINDS = new Map(Object.entries(OPTIONS).map(([name, kind]) => [normalizeName(name), kind]));

/**
 * Throws a sentence that names the wrong option. The client's own error would print the address with its password.
 * KurrentDB's schemes are mapped to those that the client reads.
 */
export function parseEventstoreUrl(value: string): string {
  const address = value.replace(/^(kurrentdb|kdb)(?=(\+discover)?:)/, 'esdb');
  const [, user, authority, query] =
    /^esdb(?:\+discover)?:\/\/(?:([^\s/?@]+)@)?([^\s/?]+)\/?(?:\?(\S*))?$/.exec(address) ?? [];
  if (address.split('?')[1]?.includes('@'))
    throw new Error('a ?, / or @ in its user name or password must be percent-encoded.');
  const isUser = user === undefined || (/^[^:]+:[^:]+$/.test(user) && tryDecode(user) !== null);
  if (authority === undefined || !isUser || !authority.split(',').every(host => HOST.test(host)))
    throw new Error(EXPECTED_FORM);
  for (const option of query?.split('&') ?? []) checkOption(option);
  return address;
}

function checkOption(option: string): void {
  const [name = '', value = '', ...rest] = option.split('=');
  if (!OPTION_NAME.test(name)) throw new Error('its options must be name=value, with & between them.');
  const kind = KINDS.get(normalizeName(name));
  if (!kind) throw new Error(`its option ${name} is not known. Options are ${Object.keys(OPTIONS).join(', ')}.`);
  if (value === '' || rest.length > 0) throw new Error(`its option ${name} must have one value.`);
  if (kind.isValid(value)) return;
  throw new Error(`its option ${name} ${typeof kind.mustBe === 'string' ? kind.mustBe : kind.mustBe(value)}.`);
}
