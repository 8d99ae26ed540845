import { setTimeout as pause } from 'node:timers/promises';
import type { Token } from './token.js';

const LOOK_MS = 50;
const BLOCKS_BEFORE = 20;
const LOOKS_MAX = 600;

/** A node that can take its newest blocks back, with everything that was in them. */
export class Reorganisation {
  private constructor(
    private readonly token: Token,
    private readonly snapshot: string,
  ) {}

  /** What comes after this can be taken back; what comes again then is in an earlier block. */
  static async of(token: Token): Promise<Reorganisation> {
    const reorganisation = new Reorganisation(token, await token.call<string>('evm_snapshot'));
    await reorganisation.mine(BLOCKS_BEFORE);
    return reorganisation;
  }

  /** As if what has come since had never been. */
  async revert(): Promise<void> {
    await this.token.call('evm_revert', this.snapshot);
  }

  /** So many empty blocks. */
  mine(blocks: number): Promise<unknown> {
    return Promise.all(Array.from({ length: blocks }, () => this.token.call('evm_mine')));
  }
}

/** Looks until something holds, for half a minute at most. */
export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let looks = 0; !(await holds()); looks += 1) {
    if (looks >= LOOKS_MAX) throw new Error('It never came to that.');
    await pause(LOOK_MS);
  }
}
