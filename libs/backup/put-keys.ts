import { ERASURE_MARK } from '#libs/event-log/erasure-mark.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { VaultLine } from './format.js';
import { readLines } from './line-file.js';
import { ISSUER_PREFIX } from './vault-lines.js';

const PAGE_SIZE = 1_000;
const PARALLEL_MAX = 32;

/** Throws if the vault has a key that is missing or different in the backup. */
export async function requireMatchingVault(vault: Vault, file: string): Promise<void> {
  const extraNames = new Set<string>();
  for (let after = ''; ;) {
    const names = await vault.list('', PAGE_SIZE, after);
    for (const name of names) extraNames.add(name);
    if (names.length < PAGE_SIZE) break;
    after = names.at(-1)!;
  }
  for await (const line of readLines<VaultLine>(file)) {
    if (extraNames.delete(line.name) && !matchesLine(line, await vault.get(line.name)))
      throw foreignKeyError(line.name);
  }
  extraNames.delete(ERASURE_MARK);
  for (const name of extraNames) throw foreignKeyError(name);
}

const foreignKeyError = (name: string) =>
  new Error(`The vault is not empty: its key ${name} does not match the backup. Restore into empty stores.`);

/** Writes the issuer keys last: no service starts without them, so none starts on an interrupted restore. */
export async function putKeys(vault: Vault, file: string, progress: (done: number) => void): Promise<number> {
  let done = 0;
  for (const isLast of [false, true]) {
    let batch: VaultLine[] = [];
    const flush = async () => {
      await Promise.all(batch.map(line => putKey(vault, line)));
      progress((done += batch.length));
      batch = [];
    };
    for await (const line of readLines<VaultLine>(file)) {
      if (line.name.startsWith(ISSUER_PREFIX) === isLast) batch.push(line);
      if (batch.length >= PARALLEL_MAX) await flush();
    }
    await flush();
  }
  return done;
}

async function putKey(vault: Vault, line: VaultLine): Promise<void> {
  if ('destroyed' in line) return vault.destroy(line.name);
  const stored = await vault.putIfAbsent(line.name, Buffer.from(line.value, 'base64url'));
  if (!matchesLine(line, stored)) throw foreignKeyError(line.name);
}

function matchesLine(line: VaultLine, stored: Uint8Array | 'destroyed' | undefined): boolean {
  if ('destroyed' in line || stored === 'destroyed' || stored === undefined)
    return 'destroyed' in line && stored === 'destroyed';
  return Buffer.from(line.value, 'base64url').equals(stored);
}
