import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IdCollision } from '#libs/kernel/ids.js';
import { SEED_BYTES } from '#libs/platform/signing/ed25519.js';
import type { Hook } from './domain/webhook.js';
import { Vault } from '#libs/platform/vault/port.js';

/** Standard Webhooks 1.0.0 requires 24 to 64. */
export const SECRET_BYTES = 32;
const PAGE_SIZE = 100;

type HookKey = Pick<Hook, 'webhook'> & { readonly muse: string };

const musePrefix = ({ muse }: Pick<HookKey, 'muse'>) => `webhook/${muse}/`;
const hookPrefix = ({ muse, webhook }: HookKey) => `${musePrefix({ muse })}${webhook}/`;

/** Stores webhook secrets in the vault only, each under the number in the webhook's stream. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly vault: Vault) {}

  async put(key: HookKey, number: number, value: Uint8Array = randomBytes(SECRET_BYTES + SEED_BYTES)): Promise<void> {
    // The number of a removed webhook is not used again.
    if ((await this.vault.putIfAbsent(hookPrefix(key) + number, value)) === 'destroyed') throw new IdCollision();
  }

  async get(key: HookKey, number: number): Promise<Uint8Array | null> {
    const value = await this.vault.get(hookPrefix(key) + number);
    return value === undefined || value === 'destroyed' ? null : value;
  }

  /** Returns valid secrets, newest first, and destroys expired ones. */
  async signingSecrets(muse: string, { webhook, secrets }: Hook, now: number): Promise<Uint8Array[]> {
    const key = { muse, webhook };
    const expired = secrets.filter(({ until }) => until !== null && until <= now);
    await Promise.all(expired.map(({ number }) => this.destroy(key, number)));
    const valid = secrets.filter(secret => !expired.includes(secret)).reverse();
    const values = await Promise.all(valid.map(({ number }) => this.get(key, number)));
    return values.filter(value => value !== null);
  }

  async destroyAll(key: HookKey | Pick<HookKey, 'muse'>): Promise<void> {
    const prefix = 'webhook' in key ? hookPrefix(key) : musePrefix(key);
    for (;;) {
      const names = await this.vault.list(prefix, PAGE_SIZE);
      await Promise.all(names.map(name => this.vault.destroy(name)));
      if (names.length < PAGE_SIZE) return;
    }
  }

  private async destroy(key: HookKey, number: number): Promise<void> {
    if (await this.get(key, number)) await this.vault.destroy(hookPrefix(key) + number);
  }
}
