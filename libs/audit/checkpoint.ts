import { readFileSync } from 'node:fs';
import type { IssuerKey } from '#libs/domain/issuer-keys.js';
import { verifyStrict } from '#libs/signing/ed25519.js';
import { type Checkpoint, type OpenedNote, openNote, readCheckpoint } from '#libs/signing/signed-note.js';
import type { Findings } from './findings.js';

/** A checkpoint that somebody kept: a C2SP signed note with what it says. */
export interface KeptCheckpoint extends Checkpoint {
  readonly note: OpenedNote;
}

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
