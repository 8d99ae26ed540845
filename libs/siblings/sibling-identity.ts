import { accepts } from '#libs/values/value.js';
import * as c from '#libs/values/values.js';
import { isReservedName, NAME_CHARACTERS_MAX, deriveNameSuffix } from '#libs/kernel/name-rules.js';
import { isSiblingId, MUSE_ID } from '#libs/kernel/ids.js';
import { importPublicKey } from '#libs/platform/signing/ed25519.js';

const BIO_CHARACTERS_MAX = 200;
const BIO = c.text({ max: BIO_CHARACTERS_MAX });

export interface SiblingIdentity {
  readonly muse_id: string;
  readonly public_key: string;
  readonly name: string;
  readonly avatar_url: string | null;
  readonly bio: string | null;
}

/** The network gave no usable answer. */
export class SiblingUnreachable extends Error {}

/** Home of the identities that begin with `muse_`. */
export abstract class SiblingNetwork {
  /** Null if it has no such identity. Throws `SiblingUnreachable`. */
  abstract lookUp(museId: string): Promise<SiblingIdentity | null>;
}

/** Parses an identity. Throws for an invalid id or key, and drops invalid profile values. */
export function readSiblingIdentity(value: unknown): SiblingIdentity {
  const { muse_id, public_key, name, avatar_url, bio } = (value ?? {}) as { readonly [member: string]: unknown };
  if (typeof muse_id !== 'string' || !MUSE_ID.test(muse_id) || !isSiblingId(muse_id))
    throw new Error('`muse_id` must be `muse_` followed by 4 to 40 characters of a-z and 0-9.');
  if (typeof public_key !== 'string' || importPublicKey(public_key) === null)
    throw new Error('`public_key` must be an ed25519 public key of 43 base64url characters, and not a weak key.');
  return {
    muse_id,
    public_key,
    name: readName(muse_id, name),
    avatar_url: typeof avatar_url === 'string' && accepts(c.link, avatar_url) ? c.link.parse(avatar_url) : null,
    bio: readBio(bio),
  };
}

function readName(museId: string, name: unknown): string {
  const shortened = typeof name === 'string' ? [...name].slice(0, NAME_CHARACTERS_MAX).join('') : '';
  return accepts(c.name, shortened) && !isReservedName(shortened)
    ? c.name.parse(shortened)
    : `Sibling ${deriveNameSuffix('sibling', museId)}`;
}

function readBio(bio: unknown): string | null {
  const shortened = typeof bio === 'string' ? [...bio].slice(0, BIO_CHARACTERS_MAX).join('') : '';
  return accepts(BIO, shortened) && shortened.isWellFormed() ? shortened : null;
}
