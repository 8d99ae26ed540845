import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Items } from './items.js';

const ITEM_ID_MIN = 1_000_000_000_000;
export const isPostId = (id: number) => id < ITEM_ID_MIN;

export interface NonPostItem {
  readonly by: string | null;
}

/** Looks up feed items that are not posts. They have no stream of their own, and are never deleted. */
@Injectable()
export class NonPostItems {
  constructor(private readonly models: ReadModels) {}

  async find(id: number | undefined): Promise<NonPostItem | undefined> {
    if (id === undefined || isPostId(id)) return undefined;
    // Another process may just have created the item: looks again after catching up.
    return (await this.findDocument(id)) ?? ((await this.models.waitForHead()) ? this.findDocument(id) : undefined);
  }

  private async findDocument(id: number): Promise<NonPostItem | undefined> {
    const item = await this.models.of(Items).get(String(id));
    return item && { by: item.body.muse_id };
  }
}
