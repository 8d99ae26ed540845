import { Injectable } from '@nestjs/common';
import { clientAddress } from '#libs/http/client-address.js';
import { goneOf } from '#libs/http/gone.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { EVENT_PLACES, EVENT_TAILS, EVENT_WAITS } from '#libs/limits/general.js';
import { LimitTable } from '#libs/limits/limit-table.js';
import type { Http } from '#libs/verbs/read.js';

const RETRY_MS = 15 * SECOND_MS;

const KINDS = {
  event_tails: { limit: EVENT_TAILS, what: 'live tails' },
  event_waits: { limit: EVENT_WAITS, what: 'pages that wait' },
};

/** A place that somebody has. */
export interface Place {
  readonly gone: AbortSignal;
  readonly leave: () => void;
}

/** Whoever waits for events takes a place, and frees it when it goes. */
@Injectable()
export class WaitingPlaces {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(private readonly limits: LimitTable) {}

  /**
   * Takes a place for whoever asks; it is freed by `leave`, and at once when the connection closes, which `gone` says
   * too. Refuses as `enter`.
   */
  hold(kind: keyof typeof KINDS, { request, reply }: Http): Place {
    const leave = this.enter(kind, clientAddress(request.ip));
    const gone = goneOf(reply);
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    return { gone, leave };
  }

  /** Takes a place; answers what frees it, once. Refuses where the address, or everybody together, has too many. */
  enter(kind: keyof typeof KINDS, address: string): () => void {
    const { limit, what } = KINDS[kind];
    const [max, allMax] = [this.limits.atOnce(limit), this.limits.atOnce(EVENT_PLACES)];
    const key = `${kind}/${address}`;
    const own = this.taken.get(key) ?? 0;
    if (own >= max) throw full(kind, `At most ${max} ${what} at once.`);
    if (this.all >= allMax) throw full(EVENT_PLACES.name, `At most ${allMax} readers wait for events at once.`);
    this.taken.set(key, own + 1);
    this.all += 1;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.leave(key);
    };
  }

  private leave(key: string): void {
    const left = this.taken.get(key)! - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
    this.all -= 1;
  }
}

const full = (limit: string, sentence: string) =>
  new Refusal('rate_limited', sentence, { retryAfter: RETRY_MS / SECOND_MS, more: { limit } });
