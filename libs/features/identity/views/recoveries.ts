import { Forgotten, KeyBound } from '#libs/domain/muse.js';
import {
  RecoveryAllowed,
  RecoveryKeyNamed,
  RecoveryKeyRemoved,
  RecoveryStarted,
  RecoveryStopped,
} from '#libs/domain/recovery.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on, onExisting, removeOn } from '#libs/views/projection.js';

/** Recovery key and pending recovery of an agent that has ever named such a key. */
export const RecoveryDocument = d.object({
  muse_id: d.museId,
  public_key: d.orNull(d.publicKey),
  named_at: d.orNull(d.time),
  pending: d.orNull(d.object({ public_key: d.publicKey, started_at: d.time, ends_at: d.time })),
  is_pending: d.flag,
  /** When the service has to bind the new key. */
  next: d.orNull(d.time),
});
export type RecoveryDocument = d.DocumentOf<typeof RecoveryDocument>;

const byMuse = by('muse_id');
const NOTHING_PENDING = { pending: null, is_pending: false, next: null };

interface Start {
  readonly data: { readonly public_key: string; readonly ends_at: number };
  readonly at: number;
}

const withPending = (recovery: RecoveryDocument, { data: { public_key, ends_at }, at }: Start): RecoveryDocument => ({
  ...recovery,
  pending: { public_key, started_at: at, ends_at },
  is_pending: true,
  next: ends_at,
});

export const Recoveries = defineProjection('recoveries', RecoveryDocument, {
  shape: 'b419ce95',
  indexes: { byNext: ['is_pending?', 'next'] },
  steps: [
    on(RecoveryKeyNamed, byMuse, (recovery, { data: { muse_id, public_key }, at }) => ({
      ...NOTHING_PENDING,
      ...recovery,
      muse_id,
      public_key,
      named_at: at,
    })),
    onExisting(RecoveryKeyRemoved, byMuse, recovery => ({ ...recovery, public_key: null, named_at: null })),
    onExisting(RecoveryStarted, byMuse, withPending),
    onExisting(RecoveryAllowed, byMuse, withPending),
    onExisting(RecoveryStopped, byMuse, recovery => ({ ...recovery, ...NOTHING_PENDING })),
    onExisting(KeyBound, byMuse, (recovery, { data: { public_key } }) =>
      recovery.pending?.public_key === public_key ? { ...recovery, ...NOTHING_PENDING } : recovery,
    ),
    removeOn<RecoveryDocument, typeof Forgotten>(Forgotten, byMuse),
  ],
});
