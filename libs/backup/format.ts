import { join } from 'node:path';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';

export const BACKUP_FORMAT = 'agent-job-network/backup';
export const BACKUP_VERSION = 1;

/** The manifest is written last: a folder without it is not a completed backup. */
const EVENTS_FILE = 'events.ndjson';
const VAULT_FILE = 'vault.ndjson';
export const MANIFEST_FILE = 'manifest.json';

/** `sha256` of all bytes, lower-case hex. */
export interface FileChecksum {
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
