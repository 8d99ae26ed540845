import { readFileSync, statSync } from 'node:fs';
import type { IssuerKey } from '#libs/streams/service.js';
import { verifyStrict } from '#libs/signing/ed25519.js';
import { type Checkpoint, type OpenedNote, openNote, readCheckpoint } from '#libs/signing/signed-note.js';
import type { Findings } from './findings.js';
import { fromExport } from './sources/export.js';
import type { EventSource } from './sources/source.js';

/** A note is a few hundred bytes; what is longer can only be an export. */
const NOTE_BYTES_MAX = 64 * 1024;

/** A checkpoint that somebody kept: a C2SP signed note with what it says. */
export interface KeptCheckpoint extends Checkpoint {
  readonly note: OpenedNote;
}

/** What somebody kept of a log, to hold it against later. */
export interface Kept {
  readonly checkpoints: readonly KeptCheckpoint[];
  readonly exports: readonly EventSource[];
}

/** Each file is a checkpoint or an export. Throws a sentence for one that is neither. */
export async function readKept(files: readonly string[]): Promise<Kept> {
  const notes = files.filter(file => statSync(file).size <= NOTE_BYTES_MAX && !isExport(readFileSync(file, 'utf8')));
  const exports = files.filter(file => !notes.includes(file)).map(fromExport);
  return { checkpoints: notes.map(readKeptCheckpoint), exports: await Promise.all(exports) };
}

/** An export begins with its manifest, which is an object. */
const isExport = (text: string) => text.startsWith('{');

/** Throws a sentence for a file that holds no checkpoint. */
export function readKeptCheckpoint(file: string): KeptCheckpoint {
  const note = openNote(readFileSync(file, 'utf8'));
  const checkpoint = note && readCheckpoint(note.text);
  if (!note || !checkpoint) throw new Error(`${file} holds no signed checkpoint.`);
  return { ...checkpoint, note };
}

/** Whether the service has signed it: with a key that the log names. */
export function checkIssuer({ note }: KeptCheckpoint, keys: readonly IssuerKey[], findings: Findings): void {
  const key = keys.find(({ public_key: known }) => note.isBy(known));
  if (!key) return findings.add('tree', 'The kept checkpoint is signed by no issuer key of this log.');
  if (verifyStrict(key.public_key, note.text, note.signature)) return;
  findings.add('tree', `The signature of the kept checkpoint is not by the issuer key ${key.kid} that it names.`);
}
