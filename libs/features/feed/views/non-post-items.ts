import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Items } from './items.js';

/** From here on an id is that of an item that lives in another stream than a post's. */
const ITEM_ID_MIN = 1_000_000_000_000;
export const isPostId = (id: number) => id < ITEM_ID_MIN;

/** An item of the feed that is no post, as a decision knows it: `by` is whose it is. */
export interface NonPostItem {
  readonly by: string | null;
}

/**
 * Which items of the feed there are besides posts. No stream is named after them, so the read models are asked; what
 * they know once stays true, for such an item is never taken back.
 */
@Injectable()
export class NonPostItems {
  constructor(private readonly models: ReadModels) {}

  /** The item of an id that is not a post's; undefined where there is none. */
  async find(id: number | undefined): Promise<NonPostItem | undefined> {
    if (id === undefined || isPostId(id)) return undefined;
    // One that was just opened, perhaps by another process, is looked for once more.
    return (await this.findDocument(id)) ?? ((await this.models.waitForHead()) ? this.findDocument(id) : undefined);
  }

  private async findDocument(id: number): Promise<NonPostItem | undefined> {
    const found = await this.models.of(Items).get(String(id));
    return found && { by: found.body.muse_id };
  }
}
