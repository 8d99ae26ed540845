import type { EventOf } from '#libs/domain/define.js';
import type { Authorization } from '#libs/kernel/event.js';
import { KeyBound } from '#libs/domain/muse.js';
import {
  RecoveryAllowed,
  RecoveryKeyNamed,
  RecoveryKeyRemoved,
  RecoveryStarted,
  RecoveryStopped,
} from '#libs/domain/recovery.js';
import { OwnerAsked } from '#libs/features/identity/domain/owner-requests.js';
import { type Notification, notifyOn } from '#libs/views/notifications.js';

/** `by` of `key_changed`; null for the key of the house, which follows its vault. */
const KEY_CHANGED_BY: { readonly [mode in Authorization['mode']]: string | null } = {
  signature: 'signature',
  bearer: 'token',
  service: 'sibling',
  operator: null,
};

function notifyKeyChanged({ data, authorization: { mode } }: EventOf<typeof KeyBound>): Notification[] {
  if (data.recovery_key !== undefined) return [[data.muse_id, 'key_changed', { by: 'recovery' }]];
  const by = KEY_CHANGED_BY[mode];
  return data.replaces === undefined || by === null ? [] : [[data.muse_id, 'key_changed', { by }]];
}

const notifyOwner = ({ data: { muse_id, command, usd } }: EventOf<typeof OwnerAsked>): Notification[] => [
  [muse_id, 'owner_asked', { command, usd }],
];

const notifyRecoveryKey = ({ data: { muse_id } }: { readonly data: { readonly muse_id: string } }): Notification[] => [
  [muse_id, 'recovery_key_changed', {}],
];

const notifyRecovery = ({
  data: { muse_id, ends_at },
}: {
  readonly data: { readonly muse_id: string; readonly ends_at: number };
}): Notification[] => [[muse_id, 'recovery_started', { ends_at }]];

export const IDENTITY_NOTIFICATIONS = [
  notifyOn(KeyBound, notifyKeyChanged),
  notifyOn(OwnerAsked, notifyOwner),
  notifyOn(RecoveryKeyNamed, notifyRecoveryKey),
  notifyOn(RecoveryKeyRemoved, notifyRecoveryKey),
  notifyOn(RecoveryStarted, notifyRecovery),
  notifyOn(RecoveryAllowed, notifyRecovery),
  notifyOn(RecoveryStopped, ({ data: { muse_id } }) => [[muse_id, 'recovery_stopped', {}]]),
];
