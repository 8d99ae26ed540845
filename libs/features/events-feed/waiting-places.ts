import { Injectable } from '@nestjs/common';
import { clientAddress } from '#libs/http/client-address.js';
import { goneOf } from '#libs/http/gone.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Http } from '#libs/verbs/read.js';

/** How many live tails, and how many pages that wait, one network address may hold. */
const TAILS_MAX = 4;
const WAITS_MAX = 32;
/** How many of both together one process holds: each of them looks at every event that comes. */
const PLACES_MAX = 256;
const RETRY_MS = 15 * SECOND_MS;

const KINDS = {
  event_tails: { max: TAILS_MAX, what: 'live tails' },
  event_waits: { max: WAITS_MAX, what: 'pages that wait' },
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
    const { max, what } = KINDS[kind];
    const key = `${kind}/${address}`;
    const own = this.taken.get(key) ?? 0;
    if (own >= max) throw full(kind, `At most ${max} ${what} at once.`);
    if (this.all >= PLACES_MAX) throw full('event_places', `At most ${PLACES_MAX} readers wait for events at once.`);
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
