import type { VaultEntry, Vault } from '#libs/platform/vault/port.js';

export class MemoryVault implements Vault {
  private readonly values = new Map<string, VaultEntry>();

  async get(name: string): Promise<VaultEntry | undefined> {
    return this.values.get(name);
  }

  async getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>> {
    return new Map([...this.values].filter(([name]) => names.includes(name)));
  }

  async putIfAbsent(name: string, value: Uint8Array): Promise<VaultEntry> {
    const there = this.values.get(name);
    if (there !== undefined) return there;
    this.values.set(name, Uint8Array.from(value));
    return value;
  }

  async replace(name: string, value: Uint8Array): Promise<void> {
    if (this.values.get(name) !== 'destroyed') this.values.set(name, Uint8Array.from(value));
  }

  async destroy(name: string): Promise<void> {
    this.values.set(name, 'destroyed');
  }

  async list(prefix: string, limit: number, after = ''): Promise<string[]> {
    const names = [...this.values].filter(([name, value]) => name.startsWith(prefix) && value !== 'destroyed');
    return names
      .map(([name]) => name)
      .filter(name => name > after)
      .sort()
      .slice(0, limit);
  }

  async close(): Promise<void> {}
}
