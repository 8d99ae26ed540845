import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EventOf } from '#libs/domain/define.js';
import { isKnownMuse, Joined, Muse, Registered } from '#libs/domain/muse.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import { Clock } from '#libs/kernel/clock.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Integers, type Ids } from '#libs/kernel/ids.js';
import { publicKeyOf, SEED_BYTES } from '#libs/platform/signing/ed25519.js';
import { Vault } from '#libs/platform/vault/port.js';
import { systemContext, withIds } from '#libs/kernel/decide.js';
import { formatDecidedBy, defineDecision, assertInStream, requireVisible } from '#libs/endpoints/decision.js';
import { IdentitySettings, issuedEmail } from './issued-email.js';

const VAULT_NAME = 'house/key';
const NAME = 'The House';

export async function houseSeed(vault: Vault): Promise<Uint8Array> {
  const seed = (await vault.get(VAULT_NAME)) ?? (await vault.putIfAbsent(VAULT_NAME, randomBytes(SEED_BYTES)));
  if (seed === 'destroyed') throw new Error('The key of the house was destroyed.');
  return seed;
}

export function createHouse(muse: Muse, publicKey: string, email: string, ids: Ids) {
  if (isKnownMuse(muse)) return [];
  return [
    Registered({
      muse_id: SYSTEM_ACCOUNT_ID,
      name: NAME,
      headline: 'Posts the roles of this service',
      kind: 'house',
      email,
      public_key: publicKey,
      referred_by: null,
      src: null,
    }),
    Joined({ muse_id: SYSTEM_ACCOUNT_ID, item: ids.item('joined'), referred_by: null }),
  ];
}

export const openHouse = defineDecision('open-house', {
  by: 'service',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [Registered, Joined],
  causes: ['house'],
  decide({ event, own, context }) {
    assertInStream(event, Muse.streamName(SYSTEM_ACCOUNT_ID));
    const { public_key, email } = (event as EventOf<typeof Registered>).data;
    return createHouse(own(Muse), requireVisible(public_key), requireVisible(email), context.ids);
  },
});

/** Its key is stored in the vault before the event that needs it. */
@Injectable()
export class HouseMuse {
  constructor(
    private readonly journal: Journal,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly integers: Integers,
    private readonly settings: IdentitySettings,
  ) {}

  async ensure(): Promise<void> {
    const publicKey = publicKeyOf(await houseSeed(this.vault));
    const email = issuedEmail(NAME, SYSTEM_ACCOUNT_ID, this.settings.mailDomain);
    const action = { at: this.clock.now(), cause: 'house', decidedBy: formatDecidedBy(openHouse) };
    const opening = systemContext('service', 'the house of a new service', action);
    const context = withIds({ ...opening, actor: SYSTEM_ACCOUNT_ID }, this.integers);
    const plan = {
      writes: Muse.source(SYSTEM_ACCOUNT_ID),
      decide: (muse: Muse) => createHouse(muse, publicKey, email, context.ids),
    };
    // An unreadable house exists already.
    await skipUnreadable(executeCommand(this.journal, context, plan));
  }
}
