import { Injectable } from '@nestjs/common';
import { AFTER_ALL_IDS, FIND_MAX } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import { findSuspendedPosters } from '#libs/features/jobs/views/acting-posters.js';
import { type ItemDocument, Items } from './items.js';
import { minuteOf, type PromotionDocument, Promotions, rotationIn } from '#libs/features/promotion/views/promotions.js';
import { isOpenRole, Roles } from '#libs/features/jobs/views/roles.js';

/** How many are looked at for one that is still there. */
const CANDIDATES_MAX = 20;

/** What is promoted in one minute, in its order. */
export interface PromotionRotation {
  readonly minute: number;
  /** When another minute's turn may differ, unix ms. */
  readonly until: number;
  readonly promotions: readonly PromotionDocument[];
}

/** The item in the first slot, and until when it surely is, unix ms. */
interface SlotItem {
  readonly item: ItemDocument | null;
  readonly until: number;
}

/** Whether there is nothing to be shown of it: a post that was deleted, or whose author has erased itself. */
const isEmptyItem = ({ kind, deleted, said }: ItemDocument) => deleted || (kind === 'post' && said?.text === null);

/** What is promoted now, in turns, the same for every reader of a minute. */
@Injectable()
export class FirstSlot {
  constructor(
    private readonly models: ReadModels,
    private readonly clock: Clock,
  ) {}

  /** Those of this minute, or of an earlier one. */
  async rotation(minute = minuteOf(this.clock.now())): Promise<PromotionRotation> {
    const range = { index: 'byEnd', equals: [], order: 'asc', limit: FIND_MAX } as const;
    const after = [minute * MINUTE_MS, AFTER_ALL_IDS];
    const found = await this.models.of(Promotions).find({ ...range, after });
    return {
      minute,
      until: found.length === 0 ? Infinity : (minute + 1) * MINUTE_MS,
      promotions: rotationIn(
        minute,
        found.map(({ body }) => body),
      ),
    };
  }

  /** The item whose turn it is, of those that are still there; null where nothing is promoted. */
  async item({ promotions, until }: PromotionRotation): Promise<SlotItem> {
    for (const { item, role } of promotions.slice(0, CANDIDATES_MAX)) {
      const found = await this.models.of(Items).get(String(item));
      if (!found || isEmptyItem(found.body)) continue;
      const ends = role === null ? until : await this.openUntil(role);
      if (ends !== undefined) return { item: found.body, until: Math.min(until, ends) };
    }
    return { item: null, until };
  }

  /** Until when a role takes applications, unix ms; undefined where it takes none. */
  private async openUntil(role: string): Promise<number | undefined> {
    const found = await this.models.of(Roles).get(role);
    if (!found || !isOpenRole(found.body, this.clock.now())) return undefined;
    const { poster, expires_at } = found.body;
    const { size } = await findSuspendedPosters(this.models, [{ poster }]);
    return size === 0 ? (expires_at ?? Infinity) : undefined;
  }
}
