import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { Revision } from '#libs/kernel/event.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { defineEvent, type EventOf } from './define.js';
import * as f from './event-fields.js';

/** Endpoint whose requests a recovery key signs. */
export const RECOVERY_ENDPOINT = 'recover';

/** From the start of a recovery to the binding of its new key. */
export const RECOVERY_MS = 72 * HOUR_MS;
/** How long a replaced recovery key can start, starts are counted, and the operator can resume a recovery. */
export const RECOVERY_MEMORY_MS = 30 * DAY_MS;

export const RecoveryKeyNamed = defineEvent('RecoveryKeyNamed', 'An agent named its recovery key.', {
  muse_id: f.clear(f.museId),
  public_key: f.clear(f.publicKey, 'The recovery key: an ed25519 public key, base64url'),
  replaces: f.clear(f.optional(f.publicKey), 'The recovery key before it; absent without one'),
});

export const RecoveryKeyRemoved = defineEvent('RecoveryKeyRemoved', 'An agent removed its recovery key.', {
  muse_id: f.clear(f.museId),
  public_key: f.clear(f.publicKey, 'The removed recovery key'),
});

/** It takes the place of a pending recovery, if there is one. */
export const RecoveryStarted = defineEvent(
  'RecoveryStarted',
  'The holder of a recovery key began to replace the key.',
  {
    muse_id: f.clear(f.museId),
    recovery_key: f.clear(f.publicKey, 'The recovery key that signed the request'),
    public_key: f.clear(f.publicKey, 'The new key'),
    ends_at: f.clear(f.time, 'When the new key is bound, unix ms'),
  },
);

export const RecoveryStopped = defineEvent('RecoveryStopped', 'An agent stopped a recovery of its key.', {
  muse_id: f.clear(f.museId),
  public_key: f.clear(f.publicKey, 'The new key, which will not be bound'),
});

export const RecoveryAllowed = defineEvent('RecoveryAllowed', 'The operator resumed a recovery.', {
  muse_id: f.clear(f.museId),
  recovery_key: f.clear(f.publicKey, 'The recovery key that started it'),
  public_key: f.clear(f.publicKey, 'The new key'),
  ends_at: f.clear(f.time, 'When the new key is bound, unix ms'),
});

export const RECOVERY_EVENTS = [
  RecoveryKeyNamed,
  RecoveryKeyRemoved,
  RecoveryStarted,
  RecoveryStopped,
  RecoveryAllowed,
] as const;

interface RecoveryKey {
  readonly public_key: string;
  /** Revision of its first naming, which decides which key displaces another one. */
  readonly since: Revision;
  readonly named_at: number;
  readonly ended_at: number | null;
}

interface StartedRecovery {
  readonly recovery_key: string;
  /** `since` of its recovery key. */
  readonly since: Revision;
  readonly public_key: string;
  readonly started_at: number;
  readonly ends_at: number;
  readonly status: 'pending' | 'stopped' | 'bound';
  /** Whether the operator resumed it, so that no request stops it. */
  readonly allowed: boolean;
}

/** Recovery keys in the order of their naming, and recoveries of at least the last 30 days, newest last. */
export interface Recovery {
  readonly keys: readonly RecoveryKey[];
  readonly started: readonly StartedRecovery[];
}

export const NO_RECOVERY: Recovery = { keys: [], started: [] };

export const recoveryOf = ({ recovery = NO_RECOVERY }: { readonly recovery?: Recovery }): Recovery => recovery;

export const currentRecoveryKey = ({ keys }: Recovery) => keys.find(({ ended_at }) => ended_at === null);

export const pendingRecovery = ({ started }: Recovery) => started.find(({ status }) => status === 'pending');

/** A replaced or removed key is usable for 30 days more. */
export const listRecoveryKeys = ({ keys }: Recovery, at: number): RecoveryKey[] =>
  keys.filter(({ ended_at }) => ended_at === null || at < ended_at + RECOVERY_MEMORY_MS);

export const findRecoveryKey = (recovery: Recovery, key: string, at: number) =>
  listRecoveryKeys(recovery, at).find(({ public_key }) => public_key === key);

export const canStop = ({ allowed, ends_at }: StartedRecovery, at: number): boolean => !allowed && at < ends_at;

export const listRecentStarts = ({ started }: Recovery, recoveryKey: string, at: number): StartedRecovery[] =>
  started.filter(each => each.recovery_key === recoveryKey && at < each.started_at + RECOVERY_MEMORY_MS);

export function assertRecoverable(museId: string): void {
  rule(!isSiblingId(museId), 'sibling_key', 'The key of a `muse_` identity cannot be recovered here.', {
    hint: 'Replace it on its own network. The new key works here within ten minutes.',
  });
  rule(museId !== SYSTEM_ACCOUNT_ID, 'not_recoverable', 'The key of the house follows the vault of the service.');
}

export function assertNoPendingRecovery(recovery: Recovery): void {
  const pending = pendingRecovery(recovery);
  if (pending)
    throw new Refusal('recovery_pending', 'A recovery of the key is pending for one of the two identities.', {
      more: { ends_at: pending.ends_at },
    });
}

type RecoveryEvent = EventOf<(typeof RECOVERY_EVENTS)[number]>;

export function changeRecovery(recovery: Recovery, event: RecoveryEvent): Recovery {
  const { at, revision } = event;
  const { keys, started } = recovery;
  switch (event.type) {
    case 'RecoveryKeyNamed': {
      const { public_key } = event.data;
      const earlier = findRecoveryKey(recovery, public_key, at);
      const others = listRecoveryKeys(endCurrentKey(recovery, at), at).filter(each => each.public_key !== public_key);
      const named = { public_key, since: earlier?.since ?? revision, named_at: at, ended_at: null };
      return { keys: [...others, named], started };
    }
    case 'RecoveryKeyRemoved':
      return endCurrentKey(recovery, at);
    case 'RecoveryStarted': {
      const { recovery_key, public_key, ends_at } = event.data;
      const since = keys.find(each => each.public_key === recovery_key)?.since ?? revision;
      const kept = started.map(stopped).filter(each => at < each.started_at + RECOVERY_MEMORY_MS);
      const start = { recovery_key, since, public_key, started_at: at, ends_at, status: 'pending', allowed: false };
      return { keys, started: [...kept, start as StartedRecovery] };
    }
    case 'RecoveryStopped':
      return { keys, started: started.map(stopped) };
    case 'RecoveryAllowed': {
      const { recovery_key, public_key, ends_at } = event.data;
      const isResumed = (each: StartedRecovery) => each.recovery_key === recovery_key && each.public_key === public_key;
      const resumed = started.findLast(isResumed);
      const others = started.filter(each => each !== resumed).map(stopped);
      if (!resumed) return { keys, started: others };
      return { keys, started: [...others, { ...resumed, started_at: at, ends_at, status: 'pending', allowed: true }] };
    }
  }
}

/** A recovery is over once its new key is bound, also by the agent itself. */
export const endBoundRecoveries = ({ keys, started }: Recovery, boundKey: string): Recovery => ({
  keys,
  started: started.map(each => (each.public_key === boundKey ? { ...each, status: 'bound' } : each)),
});

const stopped = (each: StartedRecovery): StartedRecovery =>
  each.status === 'pending' ? { ...each, status: 'stopped' } : each;

const endCurrentKey = ({ keys, started }: Recovery, at: number): Recovery => ({
  keys: keys.map(each => (each.ended_at === null ? { ...each, ended_at: at } : each)),
  started,
});
