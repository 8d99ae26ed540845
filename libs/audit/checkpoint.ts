import type { IssuerKey } from '#libs/domain/service.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { type Checkpoint, type SignedNote, parseNote, parseCheckpoint } from '#libs/platform/signing/signed-note.js';
import type { Findings } from './findings.js';
import { readTextBody, fetchWithRetries } from './sources/service-fetch.js';

export const NOTE_BYTES_MAX = 64 * 1024;

/** A C2SP signed note, with the tree that it names. */
export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
  readonly signed: string;
  /** Subject of findings, for example `The kept checkpoint`. */
  readonly label: string;
}

export function parseSignedCheckpoint(signed: string, label: string): SignedCheckpoint | null {
  const note = parseNote(signed);
  const checkpoint = note && parseCheckpoint(note.text);
  return checkpoint && { ...checkpoint, note, signed, label };
}

/**
 * Fetch the checkpoint before the events, so that the events reach at least as far. Throws if the service returns none.
 */
export async function fetchCheckpoint(address: string): Promise<SignedCheckpoint> {
  const url = `${address.replace(/\/+$/, '')}/api/events/checkpoint`;
  const response = await fetchWithRetries(url);
  const text = await readTextBody(response, NOTE_BYTES_MAX);
  const checkpoint = response.ok ? parseSignedCheckpoint(text, 'The checkpoint of the service') : null;
  if (checkpoint) return checkpoint;
  throw new Error(`${url} did not return a signed checkpoint (status ${response.status}).`);
}

export function checkCheckpointSigner(
  { note, label }: SignedCheckpoint,
  keys: readonly IssuerKey[],
  findings: Findings,
): void {
  const key = keys.find(({ public_key: publicKey }) => note.isSignedBy(publicKey));
  if (!key) return findings.add('tree', `${label} is not signed by an issuer key of this log.`);
  if (verifyStrict(key.public_key, note.text, note.signature)) return;
  findings.add('tree', `${label} names the issuer key ${key.kid}, but its signature does not verify.`);
}
