import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { splitLines } from '#libs/audit/sources/lines.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { isJsonObject, type Json, type JsonObject, parseJson } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';

export const BACKUP_FORMAT = 'agent-job-network/backup';
export const BACKUP_VERSION = 1;

/** The manifest is written last: a folder without it is not a completed backup. */
const EVENTS_FILE = 'events.ndjson';
const VAULT_FILE = 'vault.ndjson';
export const MANIFEST_FILE = 'manifest.json';
export const FILE_MODE = 0o600;
const CHUNK_BYTES = 256 * 1024;

/** `sha256` of all bytes, lower-case hex. */
interface FileChecksum {
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupManifest {
  readonly format: string;
  readonly version: number;
  /** Start of the backup, unix ms. */
  readonly at: number;
  readonly date: string;
  /** One stored event per line, in log order; sealed values stay sealed. */
  readonly events: FileChecksum & {
    readonly kind: string;
    readonly head: Position | null;
    /** Merkle root (RFC 9162), lower-case hex, as in a checkpoint of the service. */
    readonly root: string;
  };
  /** One key per line, in clear: `{name, value}` in base64url, or `{name, destroyed: true}` for a tombstone. */
  readonly vault: FileChecksum & { readonly tombstones: number };
}

export type VaultLine =
  { readonly name: string; readonly value: string } | { readonly name: string; readonly destroyed: true };

export const backupPaths = (folder: string) => ({
  events: join(folder, EVENTS_FILE),
  vault: join(folder, VAULT_FILE),
  manifest: join(folder, MANIFEST_FILE),
});

/** `total` is null if it is unknown. */
export type ProgressListener = (done: number, total: number | null) => void;
export const ignoreProgress: ProgressListener = () => undefined;

export class EventTally {
  private edge: MerkleEdge = EMPTY_EDGE;
  head: Position | null = null;

  get count(): number {
    return this.edge.size;
  }

  get root(): string {
    return rootOf(this.edge);
  }

  add(event: StoredEvent): void {
    this.edge = append(this.edge, eventDigest(event));
    this.head = event.position;
  }
}

/** Writes one JSON object per line, and syncs the file. */
export async function writeLines<T extends object>(
  file: string,
  values: AsyncIterable<T>,
  onLine: (value: T) => void,
): Promise<FileChecksum> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', FILE_MODE);
  let [count, bytes, buffered] = [0, 0, ''];
  const flush = async () => {
    const chunk = Buffer.from(buffered, 'utf8');
    buffered = '';
    hash.update(chunk);
    bytes += chunk.byteLength;
    await handle.appendFile(chunk);
  };
  try {
    for await (const value of values) {
      onLine(value);
      buffered += `${JSON.stringify(value)}\n`;
      count += 1;
      if (buffered.length >= CHUNK_BYTES) await flush();
    }
    await flush();
    await handle.sync();
    return { count, bytes, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

type MemberKind = 'text' | 'integer' | 'object';
const IS_KIND: { readonly [kind in MemberKind]: (value: Json | undefined) => boolean } = {
  text: value => typeof value === 'string' && value !== '',
  integer: value => Number.isSafeInteger(value) && (value as number) >= 0,
  object: isJsonObject,
};
type Members = { readonly [name: string]: MemberKind };

const VAULT_KEY: Members = { name: 'text', value: 'text' };
const VAULT_TOMBSTONE: Members = { name: 'text' };
const EVENT: Members = {
  id: 'text',
  type: 'text',
  stream: 'text',
  actor: 'text',
  cause: 'text',
  decided_by: 'text',
  revision: 'integer',
  version: 'integer',
  at: 'integer',
  based_on: 'object',
  authorization: 'object',
};

export const readEventLines = (file: string): AsyncGenerator<StoredEvent> => readLines(file, () => EVENT);
export const readVaultLines = (file: string): AsyncGenerator<VaultLine> =>
  readLines(file, ({ destroyed }) => (destroyed === true ? VAULT_TOMBSTONE : VAULT_KEY));

async function* readLines<T extends object>(file: string, membersOf: (line: JsonObject) => Members): AsyncGenerator<T> {
  let number = 0;
  for await (const line of splitLines(createReadStream(file))) {
    number += 1;
    yield parseObject(line, `Line ${number} of ${file}`, membersOf) as T;
  }
}

const CHANGED = 'the backup was changed or is damaged. Use another backup.';

function parseObject(line: string, location: string, membersOf: (line: JsonObject) => Members): JsonObject {
  const value = parseJson(line);
  if (!isJsonObject(value)) throw new Error(`${location} is not a JSON object: ${CHANGED}`);
  requireMembers(value, location, membersOf(value));
  return value;
}

/** Throws a sentence that names the first member of another kind. */
export function requireMembers(value: JsonObject, location: string, members: Members): void {
  for (const [name, kind] of Object.entries(members))
    if (!IS_KIND[kind](value[name])) throw new Error(`\`${name}\` of ${location} is not a valid ${kind}: ${CHANGED}`);
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
