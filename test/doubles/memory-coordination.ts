import type { Coordination, Count } from '#libs/platform/coordination/port.js';
import { Faults } from './faults.js';

export class MemoryCoordination implements Coordination {
  private readonly entries = new Map<string, { value: string; expiresAt: number }>();

  constructor(readonly faults = new Faults('The shared state')) {}

  async get(key: string, now: number): Promise<string | undefined> {
    return this.faults.run('get', () => this.value(key, now));
  }

  async putIfAbsent(key: string, value: string, expiresAt: number, now: number): Promise<string | undefined> {
    return this.faults.run('putIfAbsent', () => {
      const standing = this.value(key, now);
      if (standing === undefined) this.entries.set(key, { value, expiresAt });
      return standing;
    });
  }

  async compareAndSet(key: string, expected: string, value: string | null, expiresAt: number, now: number) {
    return this.faults.run('compareAndSet', () => {
      if (this.value(key, now) !== expected) return false;
      if (value === null) this.entries.delete(key);
      else this.entries.set(key, { value, expiresAt });
      return true;
    });
  }

  async add(key: string, amount: number, expiresAt: number, now: number): Promise<Count> {
    const sum = Number(this.value(key, now) ?? 0) + amount;
    const endsAt = Math.min(this.entries.get(key)?.expiresAt ?? expiresAt, expiresAt);
    this.entries.set(key, { value: String(sum), expiresAt: endsAt });
    return { sum, endsAt };
  }

  async getCount(key: string, now: number): Promise<Count | undefined> {
    const value = this.value(key, now);
    return value === undefined ? undefined : { sum: Number(value), endsAt: this.entries.get(key)!.expiresAt };
  }

  async sweep(now: number, limit: number): Promise<number> {
    const over = [...this.entries].filter(([, { expiresAt }]) => expiresAt <= now).slice(0, limit);
    over.forEach(([key]) => this.entries.delete(key));
    return over.length;
  }

  async close(): Promise<void> {}

  private value(key: string, now: number): string | undefined {
    const entry = this.entries.get(key);
    if (entry && entry.expiresAt > now) return entry.value;
    this.entries.delete(key);
    return undefined;
  }
}
