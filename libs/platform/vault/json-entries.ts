import { type Json, parseJson } from '#libs/kernel/json.js';
import type { Vault } from './port.js';

export const encodeEntry = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Undefined without an entry. */
export async function readEntry<T extends object | null>(
  vault: Pick<Vault, 'get'>,
  name: string,
): Promise<T | undefined> {
  const entry = await vault.get(name);
  return entry instanceof Uint8Array ? (parseJson(Buffer.from(entry).toString()) as Json as T) : undefined;
}

export const saveEntry = (vault: Pick<Vault, 'replace'>, name: string, value: object | null): Promise<void> =>
  vault.replace(name, encodeEntry(value));
