import { ERASURE_MARK } from '#libs/event-log/erasure-mark.js';
import { LAST_SEEN } from '#libs/event-log/last-seen.js';
import { LOG_ORIGIN } from '#libs/event-log/log-origin.js';
import { sealKeyName } from '#libs/event-log/muse-keys.js';
import { IssuerKeyAdded } from '#libs/domain/service.js';
import { issuerKeyName } from '#libs/issuer/issuer.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { RECONCILIATION } from '#libs/payments/reconciliation/reconciliation-state.js';
import { RETIRING_ACCOUNTS } from '#libs/payments/retiring-accounts.js';
import { KEYS_PER_READ_MAX, type Vault, type VaultEntry } from '#libs/platform/vault/port.js';
import { readVaultLines, type VaultLine } from './format.js';

const PARALLEL_MAX = 32;
const ISSUER_PREFIX = issuerKeyName('');
/** Entries about one event log, which a restored vault does not share. */
const NOT_BACKED_UP: readonly string[] = [ERASURE_MARK, LAST_SEEN, LOG_ORIGIN, RECONCILIATION, RETIRING_ACCOUNTS];

/** Collects the names of possible tombstones from the log, because the vault lists only names with a value. */
export class KeyNameCollector {
  readonly names = new Set<string>();

  add({ actor, type, data }: StoredEvent): void {
    this.names.add(sealKeyName(actor));
    if (type === IssuerKeyAdded.type) this.names.add(issuerKeyName((data as { readonly kid: string }).kid));
  }
}

export async function* vaultLines(vault: Vault, { names: logNames }: KeyNameCollector): AsyncGenerator<VaultLine> {
  const seen = new Set<string>();
  for await (const names of pagesOfNames(vault)) {
    for (const name of names) seen.add(name);
    const backedUp = names.filter(name => !NOT_BACKED_UP.includes(name));
    yield* await loadVaultLines(vault, backedUp);
  }
  const rest = [...logNames].filter(name => !seen.has(name)).sort();
  for (let from = 0; from < rest.length; from += KEYS_PER_READ_MAX)
    yield* await loadVaultLines(vault, rest.slice(from, from + KEYS_PER_READ_MAX));
}

async function* pagesOfNames(vault: Vault): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const names = await vault.list('', KEYS_PER_READ_MAX, after);
    yield names;
    if (names.length < KEYS_PER_READ_MAX) return;
    after = names.at(-1)!;
  }
}

async function loadVaultLines(vault: Vault, names: readonly string[]): Promise<VaultLine[]> {
  const entries = await vault.getMany(names);
  return names.flatMap(name => {
    const value = entries.get(name);
    return value === undefined ? [] : [toVaultLine(name, value)];
  });
}

const toVaultLine = (name: string, value: VaultEntry): VaultLine =>
  value === 'destroyed'
    ? { name, destroyed: true }
    : { name, value: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64url') };

/** Throws if the vault has a key that is missing or different in the backup. */
export async function requireMatchingVault(vault: Vault, file: string): Promise<void> {
  const extraNames = new Set<string>();
  for await (const names of pagesOfNames(vault)) for (const name of names) extraNames.add(name);
  for await (const line of readVaultLines(file)) {
    if (extraNames.delete(line.name) && !matchesLine(line, await vault.get(line.name)))
      throw foreignKeyError(line.name);
  }
  for (const name of NOT_BACKED_UP) extraNames.delete(name);
  for (const name of extraNames) throw foreignKeyError(name);
}

const foreignKeyError = (name: string) =>
  new Error(`The vault is not empty: its key ${name} does not match the backup. Restore into empty stores.`);

/** Writes the issuer keys last: no service starts without them, so none starts on an interrupted restore. */
export async function putKeys(vault: Vault, file: string): Promise<void> {
  for (const isLast of [false, true]) {
    let batch: VaultLine[] = [];
    const flush = async () => {
      await Promise.all(batch.map(line => putKey(vault, line)));
      batch = [];
    };
    for await (const line of readVaultLines(file)) {
      if (line.name.startsWith(ISSUER_PREFIX) === isLast) batch.push(line);
      if (batch.length >= PARALLEL_MAX) await flush();
    }
    await flush();
  }
}

async function putKey(vault: Vault, line: VaultLine): Promise<void> {
  if ('destroyed' in line) return vault.destroy(line.name);
  const stored = await vault.putIfAbsent(line.name, Buffer.from(line.value, 'base64url'));
  if (!matchesLine(line, stored)) throw foreignKeyError(line.name);
}

function matchesLine(line: VaultLine, stored: VaultEntry | undefined): boolean {
  if ('destroyed' in line || stored === 'destroyed' || stored === undefined)
    return 'destroyed' in line && stored === 'destroyed';
  return Buffer.from(line.value, 'base64url').equals(stored);
}
