import { Injectable } from '@nestjs/common';
import { clientAddress, widerNetworks } from '#libs/http/limiting/caller-addresses.js';
import { getDisconnectSignal } from '#libs/http/long-responses.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { EVENT_PLACES, EVENT_TAILS, EVENT_WAITS } from '#libs/platform/limits/general-limits.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import type { HttpExchange } from '#libs/endpoints/query.js';

const RETRY_MS = 15 * SECOND_MS;

const KINDS = {
  event_tails: { limit: EVENT_TAILS, name: 'live tails' },
  event_waits: { limit: EVENT_WAITS, name: 'waiting pages' },
};

/** Shares of all slots for an IPv6 /56 and /48: a customer may control all their /64 networks. */
const NETWORK_SHARES = [1 / 4, 1 / 2];
/** Share of all slots that is reserved for clients that hold none. */
const RESERVED_SHARE = 1 / 4;

export interface WaitSlot {
  readonly disconnected: AbortSignal;
  readonly release: () => void;
}

@Injectable()
export class WaitSlots {
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: LimitTable) {}

  /** Also releases the slot when the connection or the response ends. Refuses like `acquireFor`. */
  acquire(kind: keyof typeof KINDS, { request, reply }: HttpExchange): WaitSlot {
    const release = this.acquireFor(kind, request.ip);
    const disconnected = getDisconnectSignal(reply);
    disconnected.addEventListener('abort', release, { once: true });
    reply.raw.once('close', release);
    if (disconnected.aborted) release();
    return { disconnected, release };
  }

  /**
   * Returns a function that releases the slot. Throws `rate_limited` if the client, its network or the process is
   * full.
   */
  acquireFor(kind: keyof typeof KINDS, ip: string): () => void {
    const { limit, name } = KINDS[kind];
    const [max, allMax] = [this.limits.concurrencyMax(limit), this.limits.concurrencyMax(EVENT_PLACES)];
    const address = clientAddress(ip);
    const clientKey = `${kind}/${address}`;
    const networks = widerNetworks(ip);
    if (this.count(clientKey) >= max)
      throw tooManyWaits(kind, `You can hold at most ${max} ${name} at once. Close one, or retry later.`);
    for (const [at, network] of networks.entries()) {
      const networkMax = Math.ceil(allMax * NETWORK_SHARES[at]!);
      if (this.count(network) >= networkMax)
        throw tooManyWaits(
          EVENT_PLACES.name,
          `Your network ${network} can hold at most ${networkMax} waiting readers at once. Retry later.`,
        );
    }
    const client = networks[0] ?? address;
    const reserved = this.count(client) > 0 ? Math.floor(allMax * RESERVED_SHARE) : 0;
    if (this.total >= allMax - reserved)
      throw tooManyWaits(
        EVENT_PLACES.name,
        `The service holds at most ${allMax} waiting readers at once, ${reserveSentence}. Retry later.`,
      );
    return this.take(new Set([clientKey, client, ...networks]));
  }

  private take(keys: ReadonlySet<string>): () => void {
    for (const key of keys) this.counts.set(key, this.count(key) + 1);
    this.total += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const key of keys) this.decrement(key);
      this.total -= 1;
    };
  }

  private count(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private decrement(key: string): void {
    const left = this.count(key) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}

const reserveSentence = 'and reserves a quarter of these slots for addresses that hold none';

const tooManyWaits = (limit: string, message: string) =>
  new Refusal('rate_limited', message, { retryAfter: RETRY_MS / SECOND_MS, more: { limit } });
