import type { Coordination } from '#libs/coordination/port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { weightOf } from './rendezvous.js';

/** How many processes share the open payments, at most. Those beyond it drive what their own requests wait for. */
const PLACES = 16;
/** How long a process that no longer says that it is there keeps its place. */
export const PLACE_KEPT_MS = 15 * SECOND_MS;

/**
 * The processes that drive open payments, each on one of a few places of the shared state. Each payment is one
 * process's by rendezvous hashing: of all that are there the one whose hash with the payment's id is highest, so that
 * one that comes or goes moves no payment between two others. Two that drive one payment while they disagree do no
 * harm; they only do the same work twice.
 */
export class Drivers {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    /** Names this process. */
    private readonly me: string,
  ) {}

  /** Says that this process is there, and answers which payments are its own. Errors: `Unavailable`. */
  async join(): Promise<(payment: string) => boolean> {
    const all = await this.others();
    if (!all.includes(this.me)) return () => false;
    return payment => all.every(other => weightOf(this.me, payment) >= weightOf(other, payment));
  }

  /** Gives its place to whoever comes next, and its payments to the others. */
  async leave(): Promise<void> {
    const now = this.clock.now();
    const places = await this.places(now);
    const mine = places.indexOf(this.me);
    if (mine >= 0) await this.coordination.compareAndSet(keyOf(mine), this.me, null, now, now);
  }

  /** Everybody who is there, this process too where a place was free for it. */
  private async others(): Promise<string[]> {
    const now = this.clock.now();
    const until = now + PLACE_KEPT_MS;
    const places = await this.places(now);
    const mine = places.indexOf(this.me);
    const kept = mine >= 0 && (await this.coordination.compareAndSet(keyOf(mine), this.me, this.me, until, now));
    for (let place = 0; !kept && place < PLACES; place += 1) {
      if (places[place] !== undefined && places[place] !== this.me) continue;
      places[place] = (await this.coordination.putIfAbsent(keyOf(place), this.me, until, now)) ?? this.me;
      if (places[place] === this.me) break;
    }
    return places.filter(name => name !== undefined);
  }

  private places(now: number): Promise<(string | undefined)[]> {
    return Promise.all(Array.from({ length: PLACES }, (_, place) => this.coordination.get(keyOf(place), now)));
  }
}

const keyOf = (place: number) => `payments/driver/${place}`;
