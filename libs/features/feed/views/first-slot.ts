import { Injectable } from '@nestjs/common';
import { getMany } from '#libs/documents/get-many.js';
import { AFTER_ALL_IDS, FIND_MAX } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import { findSuspendedPosters } from '#libs/features/jobs/views/acting-posters.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { type ItemDocument, Items } from './items.js';
import { minuteOf, type PromotionDocument, Promotions, rotationIn } from './promotions.js';
import { isOpenRole, Roles } from '#libs/features/jobs/views/roles.js';

/** Maximum promotions to try: the items of the first ones may no longer exist. */
const CANDIDATES_MAX = 20;

export interface PromotionRotation {
  readonly minute: number;
  /** Unix ms; Infinity if nothing is promoted. */
  readonly until: number;
  readonly promotions: readonly PromotionDocument[];
}

/** `until` is unix ms. */
interface SlotItem {
  readonly item: ItemDocument | null;
  readonly until: number;
}

const isEmptyItem = ({ kind, deleted, content }: ItemDocument) =>
  deleted || (kind === 'post' && content?.text === null);

@Injectable()
export class FirstSlot {
  constructor(
    private readonly models: ReadModels,
    private readonly clock: Clock,
  ) {}

  async rotation(minute = minuteOf(this.clock.now())): Promise<PromotionRotation> {
    const range = { index: 'byEnd', equals: [], order: 'asc', limit: FIND_MAX } as const;
    const after = [minute * MINUTE_MS, AFTER_ALL_IDS];
    const promotions = await this.models.of(Promotions).find({ ...range, after });
    return {
      minute,
      until: promotions.length === 0 ? Infinity : (minute + 1) * MINUTE_MS,
      promotions: rotationIn(minute, await this.withActingMuses(promotions.map(({ body }) => body))),
    };
  }

  /** A suspended or forgotten muse has no turn, so that the others share equally. */
  private async withActingMuses(promotions: readonly PromotionDocument[]): Promise<PromotionDocument[]> {
    const muses = await getMany(this.models.cached(Muses), [...new Set(promotions.map(({ by }) => by))]);
    const absent = new Set(muses.filter(({ body }) => body.suspended || body.forgotten).map(({ id }) => id));
    return promotions.filter(({ by }) => !absent.has(by));
  }

  /** Null if no promoted item can be shown. */
  async item({ promotions, until }: PromotionRotation): Promise<SlotItem> {
    for (const { item, role } of promotions.slice(0, CANDIDATES_MAX)) {
      const document = await this.models.of(Items).get(String(item));
      if (!document || isEmptyItem(document.body)) continue;
      const ends = role === null ? until : await this.openUntil(role);
      if (ends !== undefined) return { item: document.body, until: Math.min(until, ends) };
    }
    return { item: null, until };
  }

  /** Unix ms; undefined if the role takes no applications. */
  private async openUntil(role: string): Promise<number | undefined> {
    const document = await this.models.of(Roles).get(role);
    if (!document || !isOpenRole(document.body, this.clock.now())) return undefined;
    const { poster, expires_at } = document.body;
    const { size } = await findSuspendedPosters(this.models, [{ poster }]);
    return size === 0 ? (expires_at ?? Infinity) : undefined;
  }
}
