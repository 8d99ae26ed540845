import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Joined, Muse, Registered } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { unlessUnreadable } from '#libs/event-log/unreadable.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { Integers } from '#libs/kernel/ids.js';
import { publicKeyOf, SEED_BYTES } from '#libs/signing/ed25519.js';
import { Vault } from '#libs/vault/port.js';
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

/** The identity of the service itself; it is made once. */
export function openHouse(muse: Muse, publicKey: string, email: string, { integers, requestKey }: Context): Fact[] {
  if (muse.status !== 'unknown') return [];
  const texts = { bio: null, about: null, kind: 'house', from: null, avatar_url: null };
  const addresses = { payout_address: null, lightning_address: null };
  const flags = { open_to_work: false, job_alerts: false, daily: false, match: false };
  const identity = { muse_id: HOUSE_ID, name: NAME, headline: 'Posts the roles of this service', email };
  return [
    Registered({
      ...identity,
      ...texts,
      ...addresses,
      ...flags,
      skills: [],
      public_key: publicKey,
      referred_by: null,
      src: null,
    }),
    Joined({ muse_id: HOUSE_ID, item: integers.item('joined', requestKey), referred_by: null }),
  ];
}

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
    const context: Context = {
      ...{ actor: HOUSE_ID, at: this.clock.now(), requestKey: 'house', cause: 'house', basedOn: {} },
      decidedBy: 'open-house@1',
      authorization: { mode: 'service', reason: 'the house of a new service' },
      integers: this.integers,
    };
    const plan = { writes: Muse.of(HOUSE_ID), decide: (muse: Muse) => openHouse(muse, publicKey, email, context) };
    // A house that cannot be read is there.
    await unlessUnreadable(carryOut(this.journal, context, plan));
  }
}
