import { replaceMuseKey } from '#libs/domain/access-ends.js';
import { isPresentMuse, KeyBound, Muse, TokenRevoked, VerificationEnded } from '#libs/domain/muse.js';
import { pendingRecovery, RecoveryAllowed, recoveryOf, RecoveryStarted } from '#libs/domain/recovery.js';
import { BY_NEXT, DueClock } from '#libs/endpoints/due-work.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
import { Recoveries, type RecoveryDocument } from '#libs/features/identity/views/recoveries.js';

function bindRecovered(muse: Muse, at: number) {
  const pending = isPresentMuse(muse) ? pendingRecovery(recoveryOf(muse)) : undefined;
  if (!isPresentMuse(muse) || !pending || at < pending.ends_at) return [];
  const { muse_id, public_key: replaces } = muse;
  const { public_key, recovery_key } = pending;
  return replaceMuseKey(muse, { muse_id, public_key, ...(replaces !== null && { replaces }), recovery_key });
}

const endOf = (muse: Muse): number | null =>
  isPresentMuse(muse) ? (pendingRecovery(recoveryOf(muse))?.ends_at ?? null) : null;

export const bindRecoveredKey = defineServiceCommand('bind-recovered-key', {
  reason: 'the 72 hours of a recovery are over',
  events: [VerificationEnded, TokenRevoked, KeyBound],
  causes: ['recovery/<muse_id>/<ends_at>'],
  follows: {
    after: [RecoveryStarted, RecoveryAllowed],
    about: ({ data }) => [{ muse_id: (data as { readonly muse_id: string }).muse_id }],
    dueAt: ({ muse_id }, read) => endOf(read(Muse.source(muse_id))),
  },
  writes: ({ muse_id }: { readonly muse_id: string }) => Muse.source(muse_id),
  decide: (muse, _reads, _about, { at }) => bindRecovered(muse, at),
});

/** Binds the new keys of recoveries whose time is over. */
export class RecoveryClock extends DueClock<RecoveryDocument> {
  protected readonly projection = Recoveries;
  protected override readonly range = { ...BY_NEXT, equals: [true] };

  act({ muse_id, next }: RecoveryDocument, at: number) {
    return this.commands.execute(bindRecoveredKey, { muse_id }, { cause: `recovery/${muse_id}/${next}`, at });
  }
}
