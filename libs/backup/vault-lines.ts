import { ERASURE_MARK } from '#libs/event-log/erasure-mark.js';
import { IssuerKeyAdded } from '#libs/domain/service.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { VaultLine } from './format.js';

const PAGE_SIZE = 1_000;
const PARALLEL_MAX = 32;

/** Must match `MuseKeys`. */
export const sealKeyName = (owner: string) => `seal/${owner}`;
/** Must match `Issuer`. */
export const ISSUER_PREFIX = 'issuer/';

/** Collects the names of possible tombstones from the log, because the vault lists only names with a value. */
export class KeyNameCollector {
  readonly names = new Set<string>();

  add({ actor, type, data }: StoredEvent): void {
    this.names.add(sealKeyName(actor));
    if (type === IssuerKeyAdded.type) this.names.add(ISSUER_PREFIX + (data as { readonly kid: string }).kid);
  }
}

export async function* vaultLines(vault: Vault, { names: logNames }: KeyNameCollector): AsyncGenerator<VaultLine> {
  const seen = new Set<string>();
  for (let after = ''; ;) {
    const names = await vault.list('', PAGE_SIZE, after);
    yield* await readVaultLines(
      vault,
      names.filter(name => name !== ERASURE_MARK),
    );
    for (const name of names) seen.add(name);
    if (names.length < PAGE_SIZE) break;
    after = names.at(-1)!;
  }
  const rest = [...logNames].filter(name => !seen.has(name)).sort();
  for (let from = 0; from < rest.length; from += PAGE_SIZE)
    yield* await readVaultLines(vault, rest.slice(from, from + PAGE_SIZE));
}

async function readVaultLines(vault: Vault, names: readonly string[]): Promise<VaultLine[]> {
  const lines: VaultLine[] = [];
  for (let from = 0; from < names.length; from += PARALLEL_MAX) {
    const batch = names.slice(from, from + PARALLEL_MAX);
    const values = await Promise.all(batch.map(name => vault.get(name)));
    for (const [index, value] of values.entries())
      if (value !== undefined) lines.push(toVaultLine(batch[index]!, value));
  }
  return lines;
}

const toVaultLine = (name: string, value: Uint8Array | 'destroyed'): VaultLine =>
  value === 'destroyed'
    ? { name, destroyed: true }
    : { name, value: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64url') };
