import { ERASURE_MARK } from '#libs/event-log/erasure-mark.js';
import { IssuerKeyAdded } from '#libs/domain/service.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { VaultLine } from './format.js';

/** How many names are asked for at once. */
const PAGE_SIZE = 1_000;
/** How many keys are read at the same moment. */
const PARALLEL_MAX = 32;

/** Where the vault keeps what a muse's values are sealed with, as `MuseKeys` of the event log names it. */
export const sealKeyName = (owner: string) => `seal/${owner}`;
/** Where it keeps the issuer's keys, as `Issuer` names them. */
export const ISSUER_PREFIX = 'issuer/';

/**
 * The names that may be tombstones. The vault lists only names that hold a value; but what is ever destroyed is the
 * sealing key of who acts in the log, or a key of the issuer, and the log names all of these.
 */
export class KeyNameCollector {
  readonly all = new Set<string>();

  add({ actor, type, data }: StoredEvent): void {
    this.all.add(sealKeyName(actor));
    if (type === IssuerKeyAdded.type) this.all.add(ISSUER_PREFIX + (data as { readonly kid: string }).kid);
  }
}

/** Every key of the vault, and the tombstone of every name among those that the log knows. */
export async function* vaultLines(vault: Vault, { all }: KeyNameCollector): AsyncGenerator<VaultLine> {
  const seen = new Set<string>();
  for (let after = ''; ;) {
    const names = await vault.list('', PAGE_SIZE, after);
    const kept = names.filter(name => name !== ERASURE_MARK);
    yield* await readVaultLines(vault, kept);
    for (const name of names) seen.add(name);
    if (names.length < PAGE_SIZE) break;
    after = names.at(-1)!;
  }
  const rest = [...all].filter(name => !seen.has(name)).sort();
  for (let from = 0; from < rest.length; from += PAGE_SIZE)
    yield* await readVaultLines(vault, rest.slice(from, from + PAGE_SIZE));
}

async function readVaultLines(vault: Vault, names: readonly string[]): Promise<VaultLine[]> {
  const lines: VaultLine[] = [];
  for (let from = 0; from < names.length; from += PARALLEL_MAX) {
    const some = names.slice(from, from + PARALLEL_MAX);
    const held = await Promise.all(some.map(name => vault.get(name)));
    for (const [at, value] of held.entries()) if (value !== undefined) lines.push(toVaultLine(some[at]!, value));
  }
  return lines;
}

const toVaultLine = (name: string, value: Uint8Array | 'destroyed'): VaultLine =>
  value === 'destroyed'
    ? { name, destroyed: true }
    : { name, value: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64url') };
