import type { Coordination } from '#libs/coordination/port.js';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';

/** How long a request may run before the same message may go on in its place. */
export const LEASE_MS = 15 * SECOND_MS;
/** How long an entry is kept, and whether the answer is kept in it. */
interface Keeping {
  readonly forMs: number;
  readonly answer: boolean;
}
/** Nonces are remembered for the timestamp window on both sides. */
export const NONCE: Keeping = { forMs: 10 * MINUTE_MS, answer: false };
export const IDEMPOTENCY_KEY: Keeping = { forMs: 24 * HOUR_MS, answer: true };
const RETRY_SECONDS = 1;

interface Entry {
  readonly state: 'running' | 'spent';
  /** Of what may not change: the signed message, or the compared body. */
  readonly digest: string;
  /** Unix ms until which the request that runs is believed to run. */
  readonly lease: number;
  readonly requestKey: string;
  /** The saved answer under an idempotency key. */
  readonly answer?: string;
}

export interface Held {
  /** The request key of the first request under the same key. */
  readonly requestKey: string;
  /** The saved answer of a request that was carried out. */
  readonly answer?: string;
  /** Whether the entry says that it was carried out. */
  readonly spent: boolean;
  /** Says that it was carried out; `answer` is asked where it is kept. */
  spend(answer?: () => string): Promise<void>;
  /** Forgets that it runs: it was refused. */
  release(): Promise<void>;
  /** Lets the same message go on at once, and no other: its payment is under way. */
  pause(): Promise<void>;
}

/** What a request holds while it runs: its nonce and its idempotency key (architecture 4.2). */
export class RunningRequests {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
  ) {}

  /**
   * Holds a key. Refuses with `in_progress` while the same runs elsewhere, and with `conflict` where the key belongs
   * to something else.
   */
  async hold(key: string, digest: string, requestKey: string, keep: Keeping, conflict: () => Refusal): Promise<Held> {
    const now = this.clock.now();
    const mine: Entry = { state: 'running', digest, lease: now + LEASE_MS, requestKey };
    const text = JSON.stringify(mine);
    const standing = await this.coordination.putIfAbsent(key, text, now + keep.forMs, now);
    if (standing === undefined) return this.held(key, text, mine, keep);
    const entry = JSON.parse(standing) as Entry;
    if (entry.digest !== digest) throw conflict();
    if (entry.state === 'spent') return this.held(key, standing, entry, keep);
    if (now < entry.lease) throw inProgress();
    const renewed = { ...entry, lease: now + LEASE_MS };
    const taken = await this.coordination.compareAndSet(key, standing, JSON.stringify(renewed), now + keep.forMs, now);
    if (!taken) throw inProgress();
    return this.held(key, JSON.stringify(renewed), renewed, keep);
  }

  private held(key: string, standing: string, entry: Entry, keep: Keeping): Held {
    const set = async (next: Entry | null) => {
      const now = this.clock.now();
      await this.coordination.compareAndSet(key, standing, next && JSON.stringify(next), now + keep.forMs, now);
    };
    const spent = entry.state === 'spent';
    return {
      requestKey: entry.requestKey,
      spent,
      ...(entry.answer !== undefined && { answer: entry.answer }),
      spend: async answer => {
        if (!spent) await set({ ...entry, state: 'spent', ...(keep.answer && answer && { answer: answer() }) });
      },
      release: async () => {
        if (!spent) await set(null);
      },
      pause: async () => {
        if (!spent) await set({ ...entry, lease: 0 });
      },
    };
  }
}

/**
 * Says to what a request holds how it ended. Its outcome stands by then, and an outage does not change it: what was
 * not told ends with its lease, and the request is recognised by its event.
 */
export async function tell(
  held: readonly Held[],
  how: (each: Held) => Promise<void>,
  report: (error: unknown) => void,
): Promise<void> {
  const told = await Promise.allSettled(held.map(how));
  for (const each of told) if (each.status === 'rejected') report(each.reason);
}

const inProgress = () =>
  new Refusal('in_progress', 'The same request is being carried out right now.', { retryAfter: RETRY_SECONDS });
