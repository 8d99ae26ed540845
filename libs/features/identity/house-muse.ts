import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EventOf } from '#libs/domain/define.js';
import { isKnown, Joined, Muse, Registered } from '#libs/domain/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { unlessUnreadable } from '#libs/event-log/unreadable.js';
import { Clock } from '#libs/kernel/clock.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { Integers } from '#libs/kernel/ids.js';
import { publicKeyOf, SEED_BYTES } from '#libs/platform/signing/ed25519.js';
import { Vault } from '#libs/platform/vault/port.js';
import { withIds } from '#libs/kernel/decide.js';
import { decidedBy, decision, mustBeIn, shown } from '#libs/endpoints/decision.js';
import type { Ids } from '#libs/kernel/derived-ids.js';
import { IdentitySettings } from './identity.settings.js';
import { issuedEmail } from './issued-email.js';

const VAULT_NAME = 'house/key';
const NAME = 'The House';

/** The seed of the house's key, made where the vault has none. */
export async function houseSeed(vault: Vault): Promise<Uint8Array> {
  const seed = (await vault.get(VAULT_NAME)) ?? (await vault.putIfAbsent(VAULT_NAME, randomBytes(SEED_BYTES)));
  if (seed === 'destroyed') throw new Error('The key of the house was destroyed.');
  return seed;
}

/** The identity of the service itself; it is made once, and looks for no work. */
export function houseFacts(muse: Muse, publicKey: string, email: string, ids: Ids) {
  if (isKnown(muse)) return [];
  return [
    Registered({
      muse_id: HOUSE_ID,
      name: NAME,
      headline: 'Posts the roles of this service',
      kind: 'house',
      email,
      public_key: publicKey,
      referred_by: null,
      src: null,
    }),
    Joined({ muse_id: HOUSE_ID, item: ids.item('joined'), referred_by: null }),
  ];
}

export const openHouse = decision('open-house', {
  by: 'service',
  actor: HOUSE_ID,
  writes: [Registered, Joined],
  decide({ event, own, context }) {
    mustBeIn(event, Muse.named(HOUSE_ID));
    const { public_key, email } = (event as EventOf<typeof Registered>).data;
    return houseFacts(own(Muse), shown(public_key), shown(email), context.ids);
  },
});

/** Makes sure that the house is there. Its key goes to the vault before the event that needs it. */
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
    const email = issuedEmail(NAME, HOUSE_ID, this.settings.mailDomain);
    const envelope = {
      actor: HOUSE_ID,
      at: this.clock.now(),
      requestKey: 'house',
      cause: 'house',
      basedOn: {},
      decidedBy: decidedBy(openHouse),
      authorization: { mode: 'service', reason: 'the house of a new service' } as const,
    };
    const context = withIds(envelope, this.integers);
    const plan = { writes: Muse.of(HOUSE_ID), decide: (muse: Muse) => houseFacts(muse, publicKey, email, context.ids) };
    // A house that cannot be read is there.
    await unlessUnreadable(carryOut(this.journal, context, plan));
  }
}
