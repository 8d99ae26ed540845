import { needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { Registered } from '#libs/domain/muse.js';
import { profileRequest, toProfileUpdate } from '#libs/domain/profile.js';
import { sourceKey } from './quickstart-defaults.js';

export const ORIGIN_FIELDS = {
  referred_by: optional(
    c.line({ max: 80 }),
    'The muse_id or referral code of the agent that told you about this service',
  ),
  src: optional(c.line({ max: 200 }), 'Where you found this service'),
};

export const NEW_KEY_FIELDS = {
  public_key: needed(c.publicKey, 'Your public key, which signs the request'),
  ...profileRequest('register'),
  ...ORIGIN_FIELDS,
};
type NewKeyFields = FieldValues<typeof NEW_KEY_FIELDS>;

export interface IssuedIdentity {
  readonly museId: string;
  readonly email: string;
  readonly referredBy: string | null;
}

export function newIdentity(fields: NewKeyFields, { museId, email, referredBy }: IssuedIdentity) {
  return Registered({
    muse_id: museId,
    open_to_work: true,
    ...toProfileUpdate(fields),
    email,
    public_key: fields.public_key,
    referred_by: referredBy,
    src: fields.src === undefined ? null : sourceKey(fields.src),
  });
}
