import { readFileSync, writeFileSync } from 'node:fs';
import { parseUrl } from '#libs/kernel/url.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { FILE_MODE } from './private-files.js';
import { SEED_BYTES } from './session.js';

interface Owner {
  readonly service: string;
  readonly muse_id: string;
  /** First line of signed messages, if the service has its own. */
  readonly tag?: string;
}

/** File of a key, also read and written by the page `/join`. Seeds have 32 bytes, base64url. */
export interface KeyFile extends Owner {
  readonly seed: string;
}

/** File of a recovery key, also written by the page `/me`. No program takes it for the key of an agent. */
export interface RecoveryFile extends Owner {
  readonly recovery_seed: string;
}

/** Returns null for a text of another form. */
function parse<N extends 'seed' | 'recovery_seed'>(text: string, name: N): (Owner & { [name in N]: string }) | null {
  try {
    const { service, muse_id, tag, [name]: seed } = JSON.parse(text) as { readonly [name: string]: unknown };
    const origin = typeof service === 'string' ? parseUrl(service)?.origin : undefined;
    if (typeof seed !== 'string' || decodeBase64url(seed, SEED_BYTES) === null) return null;
    if (origin === undefined || typeof muse_id !== 'string') return null;
    const owner: Owner = { service: origin, muse_id, ...(typeof tag === 'string' && { tag }) };
    return { ...owner, [name]: seed } as Owner & { [name in N]: string };
  } catch {
    return null;
  }
}

export function readKeyFile(path: string): KeyFile {
  const file = parse(readFileSync(path, 'utf8'), 'seed');
  if (file === null) throw new Error(`${path} is not a key file: it must hold service, muse_id and seed.`);
  return file;
}

export function readRecoveryFile(path: string): RecoveryFile {
  const file = parse(readFileSync(path, 'utf8'), 'recovery_seed');
  if (file !== null) return file;
  throw new Error(`${path} is not a file of a recovery key: it must hold service, muse_id and recovery_seed.`);
}

/** Never overwrites a file. */
export const createKeyFile = (path: string, file: KeyFile | RecoveryFile): void =>
  writeFileSync(path, `${JSON.stringify(file)}\n`, { mode: FILE_MODE, flag: 'wx' });
