import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IdCollision } from '#libs/kernel/ids.js';
import { SEED_BYTES } from '#libs/platform/signing/ed25519.js';
import { FIRST_SECRET, type Hook } from '#libs/features/webhooks/domain/webhook.js';
import { Vault } from '#libs/platform/vault/port.js';

/** Bytes of a symmetric secret: Standard Webhooks 1.0.0 asks for 24 to 64. */
export const SECRET_BYTES = 32;
/** How many secrets of one muse are looked for at once when its hooks have ended. */
const PAGE_SIZE = 100;

export { FIRST_SECRET };

/** What signs the messages of one hook, or lets its receiver know the service. */
type HookKey = Pick<Hook, 'webhook'> & { readonly muse: string };

const musePrefix = ({ muse }: Pick<HookKey, 'muse'>) => `webhook/${muse}/`;
const hookPrefix = ({ muse, webhook }: HookKey) => `${musePrefix({ muse })}${webhook}/`;

/** The secrets of webhooks. They stand in the vault alone, each under the number that the hook's stream gives it. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly vault: Vault) {}

  /** Puts a secret where there is none: by default what signs standard messages, made by chance. */
  async put(of: HookKey, number: number, value: Uint8Array = randomBytes(SECRET_BYTES + SEED_BYTES)): Promise<void> {
    // The number of a hook that was removed is not given out again.
    if ((await this.vault.putIfAbsent(hookPrefix(of) + number, value)) === 'destroyed') throw new IdCollision();
  }

  /** Null where it was destroyed or never was. */
  async get(of: HookKey, number: number): Promise<Uint8Array | null> {
    const held = await this.vault.get(hookPrefix(of) + number);
    return held === undefined || held === 'destroyed' ? null : held;
  }

  /** Those that still sign, the newest first. One whose time is over is destroyed. */
  async signingSecrets(muse: string, { webhook, secrets }: Hook, now: number): Promise<Uint8Array[]> {
    const of = { muse, webhook };
    const over = secrets.filter(({ until }) => until !== null && until <= now);
    await Promise.all(over.map(({ number }) => this.destroy(of, number)));
    const signing = secrets.filter(secret => !over.includes(secret)).reverse();
    const held = await Promise.all(signing.map(({ number }) => this.get(of, number)));
    return held.filter(value => value !== null);
  }

  /** All of a hook, or of all hooks of a muse. May be repeated. */
  async destroyAll(of: HookKey | Pick<HookKey, 'muse'>): Promise<void> {
    const prefix = 'webhook' in of ? hookPrefix(of) : musePrefix(of);
    for (;;) {
      const names = await this.vault.list(prefix, PAGE_SIZE);
      await Promise.all(names.map(name => this.vault.destroy(name)));
      if (names.length < PAGE_SIZE) return;
    }
  }

  private async destroy(of: HookKey, number: number): Promise<void> {
    // What stands there no more is not written a second time.
    if (await this.get(of, number)) await this.vault.destroy(hookPrefix(of) + number);
  }
}
