import { Forgotten, isPresentMuse, Muse, Registered, VerificationEnded } from '#libs/domain/muse.js';
import { defineServiceCommand, type ServiceCommands } from '#libs/endpoints/service-commands.js';
import { sealKeyName } from '#libs/event-log/muse-keys.js';
import type { EventOf } from '#libs/domain/define.js';
import { LOG_START } from '#libs/kernel/event.js';
import { KEYS_PER_READ_MAX, type Vault } from '#libs/platform/vault/port.js';
import { endMuse } from './forget.js';

export const forgetAgain = defineServiceCommand('forget-again', {
  reason: 'its key was destroyed before the log went back',
  events: [VerificationEnded, Forgotten],
  causes: ['forgotten/<muse_id>'],
  writes: ({ muse_id }: { readonly muse_id: string }) => Muse.source(muse_id),
  decide: muse => (isPresentMuse(muse) ? endMuse(muse) : []),
});

/** Forgets each muse whose key is destroyed, although the log, which went back, no longer says so. */
export async function forgetAllAgain(
  commands: ServiceCommands,
  vault: Pick<Vault, 'getMany'>,
  onPage: () => Promise<unknown>,
): Promise<void> {
  const { log } = commands.journal;
  for (let after = LOG_START; ;) {
    const { events, next } = await log.readAll(after, KEYS_PER_READ_MAX, [Registered.type]);
    if (next === after) return;
    const muses = events.map(({ data }) => (data as EventOf<typeof Registered>['data']).muse_id);
    const entries = await vault.getMany(muses.map(sealKeyName));
    for (const muse_id of muses.filter(muse => entries.get(sealKeyName(muse)) === 'destroyed'))
      await commands.execute(forgetAgain, { muse_id }, { cause: `forgotten/${muse_id}` });
    await onPage();
    after = next;
  }
}
