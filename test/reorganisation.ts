import { setTimeout as pause } from 'node:timers/promises';
import type { Token } from './token.js';

const LOOK_MS = 50;

/** A node that can take its newest blocks back, with everything that was in them. */
export class Reorganisation {
  private constructor(
    private readonly token: Token,
    private readonly snapshot: string,
  ) {}

  /** What comes after this can be taken back. */
  static async of(token: Token): Promise<Reorganisation> {
    return new Reorganisation(token, await token.call<string>('evm_snapshot'));
  }

  /** As if what has come since had never been. */
  async happen(): Promise<void> {
    await this.token.call('evm_revert', this.snapshot);
  }

  /** So many empty blocks. */
  mine(blocks: number): Promise<unknown> {
    return Promise.all(Array.from({ length: blocks }, () => this.token.call('evm_mine')));
  }
}

/** Looks until something holds; the time-out of the test ends it. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pause(LOOK_MS);
}
