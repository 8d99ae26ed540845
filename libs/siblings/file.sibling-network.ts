import { readFileSync, statSync } from 'node:fs';
import {
  readSiblingIdentity,
  type SiblingIdentity,
  type SiblingNetwork,
  SiblingUnreachable,
} from './sibling-identity.js';

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const ENTRIES_MAX = 200_000;

type Identities = ReadonlyMap<string, SiblingIdentity>;

/** Sibling identities from a JSON file, which is read again after a change. */
export class FileSiblingNetwork implements SiblingNetwork {
  private identities: Identities;
  private lastStamp: string;

  constructor(private readonly file: string) {
    this.lastStamp = fileStamp(file);
    this.identities = readIdentities(file);
  }

  lookUp(museId: string): Promise<SiblingIdentity | null> {
    try {
      this.reloadIfChanged();
      return Promise.resolve(this.identities.get(museId) ?? null);
    } catch (cause) {
      return Promise.reject(new SiblingUnreachable((cause as Error).message, { cause }));
    }
  }

  private reloadIfChanged(): void {
    const stamp = fileStamp(this.file);
    if (stamp === this.lastStamp) return;
    this.identities = readIdentities(this.file);
    this.lastStamp = stamp;
  }
}

function fileStamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new Error(`The file ${file} does not exist.`);
  if (stat.size > FILE_BYTES_MAX) throw new Error(`${file} is larger than ${FILE_BYTES_MAX} bytes.`);
  return `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

function readIdentities(file: string): Identities {
  const entries = readEntries(file);
  const identities = new Map<string, SiblingIdentity>();
  for (const [index, entry] of entries.entries()) {
    const identity = parseEntry(entry, `${file}, entry ${index + 1}`);
    if (identities.has(identity.muse_id)) throw new Error(`${file} contains ${identity.muse_id} twice.`);
    identities.set(identity.muse_id, identity);
  }
  return identities;
}

function readEntries(file: string): unknown[] {
  const text = readFileSync(file, 'utf8');
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not valid JSON.`);
  }
  if (Array.isArray(entries) && entries.length <= ENTRIES_MAX) return entries;
  throw new Error(`${file} must be an array of at most ${ENTRIES_MAX} identities.`);
}

function parseEntry(entry: unknown, label: string): SiblingIdentity {
  try {
    return readSiblingIdentity(entry);
  } catch (error) {
    throw new Error(`${label}: ${(error as Error).message}`, { cause: error });
  }
}
