import type { Clock } from '#libs/kernel/clock.js';
import type { Coordination } from './port.js';

const MEMBERS_MAX = 16;
const RENEW_AT = 1 / 3;

interface MemberExpiries {
  readonly [name: string]: number;
}

/** Processes that share work. Each renews its entry in one value of the shared state. */
export class Members {
  private readonly key: string;

  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    private readonly options: {
      readonly of: string;
      readonly me: string;
      readonly keptMs: number;
    },
  ) {
    this.key = `members/${options.of}`;
  }

  /** Registers this process if there is room. Returns all members. Errors: `Unavailable`. */
  async join(): Promise<string[]> {
    const { me, keptMs } = this.options;
    return this.change((there, now) => {
      const until = there[me];
      const isNew = until === undefined || until - now <= keptMs * (1 - RENEW_AT);
      const isFull = until === undefined && Object.keys(there).length >= MEMBERS_MAX;
      return isNew && !isFull ? { ...there, [me]: now + keptMs } : there;
    });
  }

  async leave(): Promise<void> {
    await this.change(({ [this.options.me]: _mine, ...others }) => others);
  }

  /** Every conflict means that another process succeeded, so the loop ends. */
  private async change(decide: (there: MemberExpiries, now: number) => MemberExpiries): Promise<string[]> {
    for (;;) {
      const now = this.clock.now();
      const before = await this.coordination.get(this.key, now);
      const there = aliveMembers(before, now);
      const after = decide(there, now);
      if (after === there || (await this.put(before, after, now))) return Object.keys(after).sort();
    }
  }

  private async put(before: string | undefined, after: MemberExpiries, now: number): Promise<boolean> {
    const until = Math.max(now, ...Object.values(after));
    const value = JSON.stringify(after);
    if (before === undefined) return (await this.coordination.putIfAbsent(this.key, value, until, now)) === undefined;
    return this.coordination.compareAndSet(this.key, before, value, until, now);
  }
}

function aliveMembers(value: string | undefined, now: number): MemberExpiries {
  const all = Object.entries(value === undefined ? {} : (JSON.parse(value) as MemberExpiries));
  return Object.fromEntries(all.filter(([, until]) => until > now));
}
