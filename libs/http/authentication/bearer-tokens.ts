import { createHmac, timingSafeEqual } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { type Authorization, type RequestFields, TOKEN_HINT_CHARACTERS } from '#libs/kernel/event.js';
import { isSiblingId, sha256Hex } from '#libs/kernel/ids.js';
import { badToken } from '#libs/kernel/refusal.js';
import { UNSIGNED_FIELDS } from '#libs/platform/signing/signed-message.js';
import type { Caller, AuthenticationGuard } from './authentication.js';
import type { Principal, Principals } from './principals.port.js';
import type { SiblingIdentities } from './siblings.port.js';

const EXCHANGE_REPEAT_MS = DAY_MS;
const TOKEN = /^[a-z0-9_]{1,40}[A-Za-z0-9_-]{43}$/;
const OWNERS_MAX = 20_000;

/**
 * Derives tokens from the request and a secret of the vault: the same request gets the same token, and no token is
 * stored.
 */
export class TokenMint {
  constructor(
    private readonly secret: Uint8Array,
    readonly prefix: string,
    private readonly validDays: number,
  ) {}

  of(requestKey: string): string {
    return this.prefix + createHmac('sha256', this.secret).update(requestKey).digest('base64url');
  }

  issue(requestKey: string, now: number): { hash: string; expires_at: number } {
    return { hash: sha256Hex(this.of(requestKey)), expires_at: now + this.validDays * DAY_MS };
  }
}

function authorizationOf(token: string, endpoint: string, declared: RequestFields): Authorization {
  const fields = Object.fromEntries(Object.entries(declared).filter(([name]) => !UNSIGNED_FIELDS.has(name)));
  return { mode: 'bearer', token, endpoint, sealed: { fields } };
}

export class BearerTokens {
  /** A token never changes its owner, so caching is safe. The owner's stream decides whether the token is valid. */
  private readonly owners = createLruCache<string, string>(OWNERS_MAX);

  constructor(
    private readonly principals: Principals,
    private readonly siblings: SiblingIdentities,
    private readonly clock: Clock,
  ) {}

  /**
   * `isRepetition` also accepts a token that was exchanged within a day, so that the exchange can be repeated; the
   * command refuses every other request. The guard limits only unknown tokens: failed attempts never block a valid one.
   */
  async verify(token: string, endpoint: string, isRepetition = false, guard?: AuthenticationGuard): Promise<Caller> {
    const hash = sha256Hex(token);
    const id = TOKEN.test(token) ? await this.findOwner(hash, guard) : undefined;
    if (id === undefined) throw badToken();
    const assertValid = (principal: Principal) => {
      const isValid = this.isTokenValid(principal, hash) || (isRepetition && this.wasExchanged(principal, hash));
      if (!isValid) throw badToken();
      return principal;
    };
    const stored = assertValid(await this.principals.get(id));
    const principal = isSiblingId(id) ? assertValid(await this.refresh(stored)) : stored;
    const hint = hash.slice(0, TOKEN_HINT_CHARACTERS);
    return {
      id,
      principal,
      authorize: fields => authorizationOf(hint, endpoint, fields),
      tokenHint: hint,
      signed: null,
    };
  }

  /** A new key on the home network revokes all tokens of the identity. */
  private async refresh(sibling: Principal): Promise<Principal> {
    if ((await this.siblings.find(sibling)) === null) throw badToken();
    return this.principals.get(sibling.id);
  }

  private async findOwner(hash: string, guard?: AuthenticationGuard): Promise<string | undefined> {
    const cachedOwner = this.owners.get(hash);
    if (cachedOwner !== undefined) return cachedOwner;
    let owner = await this.principals.ownerOf(hash);
    if (owner === undefined) {
      await guard?.mayAuthenticate();
      owner = await this.principals.currentOwnerOf(hash);
    }
    if (owner !== undefined) this.owners.set(hash, owner);
    return owner;
  }

  private wasExchanged({ rotations }: Principal, hash: string): boolean {
    return rotations.some(rotation => rotation.hash === hash && this.clock.now() < rotation.at + EXCHANGE_REPEAT_MS);
  }

  private isTokenValid({ tokens }: Principal, hash: string): boolean {
    for (const [tokenHash, expiresAt] of tokens) {
      if (timingSafeEqual(Buffer.from(tokenHash), Buffer.from(hash))) return this.clock.now() < expiresAt;
    }
    return false;
  }
}
