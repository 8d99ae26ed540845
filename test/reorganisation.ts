import { setTimeout as pause } from 'node:timers/promises';
import type { Token } from './token.js';

const LOOK_MS = 50;
const BLOCKS_BEFORE = 20;
const LOOKS_MAX = 600;

/** Chain node that can revert its newest blocks. */
export class Reorganisation {
  private constructor(
    private readonly token: Token,
    private readonly snapshot: string,
  ) {}

  /** Marks the block to revert to; later blocks get lower numbers after the reorganisation. */
  static async of(token: Token): Promise<Reorganisation> {
    const reorganisation = new Reorganisation(token, await token.call<string>('evm_snapshot'));
    await reorganisation.mine(BLOCKS_BEFORE);
    return reorganisation;
  }

  async revert(): Promise<void> {
    await this.token.call('evm_revert', this.snapshot);
  }

  mine(blocks: number): Promise<unknown> {
    return Promise.all(Array.from({ length: blocks }, () => this.token.call('evm_mine')));
  }
}

export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let looks = 0; !(await holds()); looks += 1) {
    if (looks >= LOOKS_MAX) throw new Error('It never came to that.');
    await pause(LOOK_MS);
  }
}
