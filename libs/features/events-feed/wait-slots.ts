import { Injectable } from '@nestjs/common';
import { clientAddress, widerNetworks } from '#libs/http/client-address.js';
import { getDisconnectSignal } from '#libs/http/client-disconnect.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { EVENT_PLACES, EVENT_TAILS, EVENT_WAITS } from '#libs/platform/limits/general-limits.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import type { HttpExchange } from '#libs/endpoints/query.js';

const RETRY_MS = 15 * SECOND_MS;

const KINDS = {
  event_tails: { limit: EVENT_TAILS, what: 'live tails' },
  event_waits: { limit: EVENT_WAITS, what: 'pages that wait' },
};

/** Shares of all slots for an IPv6 /56 and /48: a customer may control all their /64 networks. */
const NETWORK_PARTS = [1 / 4, 1 / 2];
/** Share of all slots that is reserved for clients that hold none. */
const RESERVED_PART = 1 / 4;

export interface WaitSlot {
  readonly gone: AbortSignal;
  readonly release: () => void;
}

@Injectable()
export class WaitSlots {
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: LimitTable) {}

  /** Releases the slot by `release`, or when the connection or the answer ends. Refuses like `acquireFor`. */
  acquire(kind: keyof typeof KINDS, { request, reply }: HttpExchange): WaitSlot {
    const leave = this.acquireFor(kind, request.ip);
    const gone = getDisconnectSignal(reply);
    gone.addEventListener('abort', leave, { once: true });
    reply.raw.once('close', leave);
    if (gone.aborted) leave();
    return { gone, release: leave };
  }

  /**
   * Returns a function that releases the slot. Throws `rate_limited` if the client, its network or the process is
   * full.
   */
  acquireFor(kind: keyof typeof KINDS, ip: string): () => void {
    const { limit, what } = KINDS[kind];
    const [max, allMax] = [this.limits.concurrencyMax(limit), this.limits.concurrencyMax(EVENT_PLACES)];
    const address = clientAddress(ip);
    const own = `${kind}/${address}`;
    const networks = widerNetworks(ip);
    if (this.count(own) >= max) throw tooManyWaits(kind, `At most ${max} ${what} at once.`);
    for (const [at, network] of networks.entries()) {
      const networkMax = Math.ceil(allMax * NETWORK_PARTS[at]!);
      if (this.count(network) >= networkMax)
        throw tooManyWaits(EVENT_PLACES.name, `At most ${networkMax} readers of ${network} wait for events at once.`);
    }
    const client = networks[0] ?? address;
    const kept = this.count(client) > 0 ? Math.floor(allMax * RESERVED_PART) : 0;
    if (this.total >= allMax - kept)
      throw tooManyWaits(EVENT_PLACES.name, `At most ${allMax} readers wait for events at once, ${reserveSentence}.`);
    return this.take(new Set([own, client, ...networks]));
  }

  private take(keys: ReadonlySet<string>): () => void {
    for (const key of keys) this.counts.set(key, this.count(key) + 1);
    this.total += 1;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
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

const reserveSentence = 'and a quarter of these places is kept for addresses that hold none';

const tooManyWaits = (limit: string, sentence: string) =>
  new Refusal('rate_limited', sentence, { retryAfter: RETRY_MS / SECOND_MS, more: { limit } });
