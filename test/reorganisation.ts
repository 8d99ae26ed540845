import type { Token } from './token.js';

const BLOCKS_BEFORE = 20;

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
