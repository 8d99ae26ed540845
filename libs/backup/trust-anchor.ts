import type { SignedCheckpoint } from '#libs/audit/checkpoint.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import type { IssuerKey } from '#libs/domain/service.js';

export interface TrustAnchor {
  readonly checkpoint: SignedCheckpoint | null;
  /** Public key in base64url, or its id. */
  readonly issuerKey: string | null;
}

export function requireTrusted({ checkpoint, issuerKey }: TrustAnchor, keys: readonly IssuerKey[], file: string): void {
  const trusted = keys.filter(key => issuerKey === null || [key.public_key, key.kid].includes(issuerKey));
  if (issuerKey !== null && trusted.length === 0)
    throw new Error(
      `${issuerKey} is not an issuer key of the log in ${file}: the log belongs to another service or was changed.`,
    );
  if (!checkpoint || trusted.some(key => isSignedBy(checkpoint, key))) return;
  const signer = issuerKey === null ? `an issuer key of the log in ${file}` : `the issuer key ${issuerKey}`;
  throw new Error(`The checkpoint is not signed by ${signer}.`);
}

const isSignedBy = ({ note }: SignedCheckpoint, { public_key: key }: IssuerKey) =>
  note.isSignedBy(key) && verifyStrict(key, note.text, note.signature);
