import { join } from 'node:path';
import type { Position } from '#libs/kernel/event.js';

export const BACKUP_FORMAT = 'agent-job-network/backup';
export const BACKUP_VERSION = 1;

/** Names of the three files of a backup. The manifest is written last: a folder without it is no finished backup. */
export const EVENTS_FILE = 'events.ndjson';
export const VAULT_FILE = 'vault.ndjson';
export const MANIFEST_FILE = 'manifest.json';

/** What one file of lines holds; `sha256` is over its bytes, lower-case hex. */
export interface FileChecksum {
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup says of itself. */
export interface BackupManifest {
  readonly format: string;
  readonly version: number;
  /** When it was begun, unix ms, and the same for a person. */
  readonly at: number;
  readonly date: string;
  /** An event a line, in log order: the stored envelope, sealed values as they are stored. */
  readonly events: FileChecksum & {
    readonly kind: string;
    /** The position of the last one; null for none. */
    readonly head: Position | null;
    /** Of the tree of all of them (RFC 9162), lower-case hex: what a checkpoint of the service says too. */
    readonly root: string;
  };
  /** A key a line, in clear: `{name, value}` with base64url, or `{name, destroyed: true}` for a tombstone. */
  readonly vault: FileChecksum & { readonly tombstones: number };
}

/** One line of `vault.ndjson`. */
export type VaultLine =
  { readonly name: string; readonly value: string } | { readonly name: string; readonly destroyed: true };

export const backupPaths = (folder: string) => ({
  events: join(folder, EVENTS_FILE),
  vault: join(folder, VAULT_FILE),
  manifest: join(folder, MANIFEST_FILE),
});

/** Told how far a long work is; `total` is null where it is not known. */
export type ProgressListener = (done: number, total: number | null) => void;
export const ignoreProgress: ProgressListener = () => undefined;
