import type { IssuerKey } from '#libs/domain/service.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { type Checkpoint, type SignedNote, parseNote, parseCheckpoint } from '#libs/platform/signing/signed-note.js';
import type { Findings } from './findings.js';
import { readTextBody } from './sources/response-body.js';
import { fetchWithRetries } from './sources/rate-limited-fetch.js';

/** A note is a few hundred bytes. */
export const NOTE_BYTES_MAX = 64 * 1024;

/** A C2SP signed note with what it says of a log's tree. */
export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
  /** All of it, as it is sent and kept. */
  readonly signed: string;
  /** As a sentence calls it. */
  readonly label: string;
}

/** Null for a text that is no checkpoint. Verifies nothing. */
export function parseSignedCheckpoint(signed: string, who: string): SignedCheckpoint | null {
  const note = parseNote(signed);
  const checkpoint = note && parseCheckpoint(note.text);
  return checkpoint && { ...checkpoint, note, signed, label: who };
}

/**
 * The newest checkpoint that a service answers, to be asked for before its events: these go as far at least. Throws a
 * sentence where it answers none.
 */
export async function fetchCheckpoint(address: string): Promise<SignedCheckpoint> {
  const url = `${address.replace(/\/+$/, '')}/api/events/checkpoint`;
  const response = await fetchWithRetries(url);
  const text = await readTextBody(response, NOTE_BYTES_MAX);
  const checkpoint = response.ok ? parseSignedCheckpoint(text, 'The service’s own checkpoint') : null;
  if (checkpoint) return checkpoint;
  throw new Error(`${url} answers no signed checkpoint (${response.status}).`);
}

/** Whether the service has signed it: with a key that the log names. */
export function checkCheckpointSigner(
  { note, label: who }: SignedCheckpoint,
  keys: readonly IssuerKey[],
  findings: Findings,
): void {
  const key = keys.find(({ public_key: known }) => note.isSignedBy(known));
  if (!key) return findings.add('tree', `${who} is signed by no issuer key of this log.`);
  if (verifyStrict(key.public_key, note.text, note.signature)) return;
  findings.add('tree', `${who} is not signed by the issuer key ${key.kid} that it names.`);
}
