import type { Clock } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { Coordination } from './port.js';

const MEMBERS_MAX = 16;
const RENEW_AT = 1 / 3;

interface MembersOptions {
  readonly group: string;
  readonly member: string;
  readonly ttlMs: number;
}

interface MemberExpiries {
  readonly [name: string]: number;
}

/** Processes that share work. Each renews its entry in one value of the shared state. */
export class Members {
  private readonly key: string;

  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    private readonly options: MembersOptions,
  ) {
    this.key = `members/${options.group}`;
  }

  /** Registers this process if there is room. Returns all members. Errors: `Unavailable`. */
  async join(): Promise<string[]> {
    const { member, ttlMs } = this.options;
    return this.change((members, now) => {
      const expiresAt = members[member];
      const isDue = expiresAt === undefined || expiresAt - now <= ttlMs * (1 - RENEW_AT);
      const isFull = expiresAt === undefined && Object.keys(members).length >= MEMBERS_MAX;
      return isDue && !isFull ? { ...members, [member]: now + ttlMs } : members;
    });
  }

  async leave(): Promise<void> {
    await this.change(({ [this.options.member]: _expiresAt, ...others }) => others);
  }

  /** Every conflict means that another process succeeded, so the loop ends. */
  private async change(decide: (members: MemberExpiries, now: number) => MemberExpiries): Promise<string[]> {
    for (;;) {
      const now = this.clock.now();
      const storedValue = await this.coordination.get(this.key, now);
      const members = aliveMembers(storedValue, now);
      const newMembers = decide(members, now);
      if (newMembers === members || (await this.put(storedValue, newMembers, now)))
        return Object.keys(newMembers).sort();
    }
  }

  private async put(storedValue: string | undefined, newMembers: MemberExpiries, now: number): Promise<boolean> {
    const expiresAt = Math.max(now, ...Object.values(newMembers));
    const value = JSON.stringify(newMembers);
    if (storedValue === undefined)
      return (await this.coordination.putIfAbsent(this.key, value, expiresAt, now)) === undefined;
    return this.coordination.compareAndSet(this.key, storedValue, value, expiresAt, now);
  }
}

function aliveMembers(value: string | undefined, now: number): MemberExpiries {
  const all = Object.entries(value === undefined ? {} : (JSON.parse(value) as MemberExpiries));
  return Object.fromEntries(all.filter(([, expiresAt]) => expiresAt > now));
}

/** Rendezvous hashing: the member with the highest weight gets the item. A new member moves no item between others. */
export const rendezvousWeight = (member: string, item: string): string => sha256Hex(`${member}/${item}`);
