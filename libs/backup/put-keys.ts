import { ERASURE_MARK } from '#libs/event-log/erasure-mark.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { VaultLine } from './format.js';
import { readLines } from './line-file.js';
import { ISSUER_PREFIX } from './vault-lines.js';

const PAGE_SIZE = 1_000;
const PARALLEL_MAX = 32;

/** Throws a sentence where the vault holds a key that the backup does not hold, or holds otherwise. */
export async function requireMatchingVault(vault: Vault, file: string): Promise<void> {
  const there = new Set<string>();
  for (let after = ''; ;) {
    const names = await vault.list('', PAGE_SIZE, after);
    for (const name of names) there.add(name);
    if (names.length < PAGE_SIZE) break;
    after = names.at(-1)!;
  }
  for await (const line of readLines<VaultLine>(file)) {
    if (there.delete(line.name) && !matchesLine(line, await vault.get(line.name))) throw foreignKeyError(line.name);
  }
  there.delete(ERASURE_MARK);
  for (const name of there) throw foreignKeyError(name);
}

const foreignKeyError = (name: string) =>
  new Error(`The vault is not empty: its key ${name} is none of the backup. Restore into empty stores.`);

/**
 * Puts every key and tombstone of a backup. The issuer's keys come last: a service does not start without the one that
 * the log names, so none starts on stores that are not restored to the end.
 */
export async function putKeys(vault: Vault, file: string, progress: (done: number) => void): Promise<number> {
  let done = 0;
  for (const isLast of [false, true]) {
    let some: VaultLine[] = [];
    const flush = async () => {
      await Promise.all(some.map(line => putKey(vault, line)));
      progress((done += some.length));
      some = [];
    };
    for await (const line of readLines<VaultLine>(file)) {
      if (line.name.startsWith(ISSUER_PREFIX) === isLast) some.push(line);
      if (some.length >= PARALLEL_MAX) await flush();
    }
    await flush();
  }
  return done;
}

async function putKey(vault: Vault, line: VaultLine): Promise<void> {
  if ('destroyed' in line) return vault.destroy(line.name);
  const held = await vault.putIfAbsent(line.name, Buffer.from(line.value, 'base64url'));
  if (!matchesLine(line, held)) throw foreignKeyError(line.name);
}

function matchesLine(line: VaultLine, held: Uint8Array | 'destroyed' | undefined): boolean {
  if ('destroyed' in line || held === 'destroyed' || held === undefined)
    return 'destroyed' in line && held === 'destroyed';
  return Buffer.from(line.value, 'base64url').equals(held);
}
