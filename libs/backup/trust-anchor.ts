import type { SignedCheckpoint } from '#libs/audit/checkpoint.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import type { IssuerKey } from '#libs/domain/service.js';

/** What somebody holds against an export who does not take it on the word of the one who wrote it. */
export interface TrustAnchor {
  /** A checkpoint that was kept, or had from somebody who keeps them. */
  readonly checkpoint: SignedCheckpoint | null;
  /** The key of the service that is believed: base64url of the key itself, or its id. */
  readonly issuerKey: string | null;
}

/** Throws a sentence where the log does not name the key, or the checkpoint is not signed by it. */
export function requireTrusted({ checkpoint, issuerKey }: TrustAnchor, keys: readonly IssuerKey[], file: string): void {
  const known = keys.filter(key => issuerKey === null || [key.public_key, key.kid].includes(issuerKey));
  if (issuerKey !== null && known.length === 0)
    throw new Error(
      `${issuerKey} is no issuer key of the log in ${file}: the log is another service's, or was changed.`,
    );
  if (!checkpoint || known.some(key => isSignedBy(checkpoint, key))) return;
  const by = issuerKey === null ? `an issuer key of the log in ${file}` : `the issuer key ${issuerKey}`;
  throw new Error(`The checkpoint is not signed by ${by}.`);
}

const isSignedBy = ({ note }: SignedCheckpoint, { public_key: key }: IssuerKey) =>
  note.isSignedBy(key) && verifyStrict(key, note.text, note.signature);
