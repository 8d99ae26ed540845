import { FIND_MAX } from '#libs/documents/range.js';
import type { Collection, Scalar } from '#libs/documents/port.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** How many documents one request looks at, to find where the next files begin. */
const LOOKED_AT_MAX = 20 * FIND_MAX;

/** A list in the order of the log. */
export interface Listed<D extends JsonObject = JsonObject> {
  readonly collection: () => Collection<D>;
  /** An index whose one open field is `opened`. */
  readonly index: string;
  readonly equals: readonly Scalar[];
}

/** The documents of a list from a position of the log on. */
export async function documentsFrom<D extends JsonObject>(
  { collection, index, equals }: Listed<D>,
  after: readonly Scalar[],
  limit: number,
): Promise<{ readonly id: string; readonly opened: string; readonly body: D }[]> {
  const found = await collection().find({ index, equals, order: 'asc', limit, after });
  return found.map(({ id, body }) => ({ id, opened: body['opened'] as string, body }));
}

/** Before every id at a position. */
export const at = (position: string): readonly Scalar[] => [position, ''];

/**
 * Where in a list every so-many-th document stands. The list grows at its end alone, so what was found stays, and each
 * request goes on where the last one ended: no list is ever read from its beginning again.
 */
export class Boundaries {
  private readonly found: string[] = [];
  private last: readonly Scalar[] = at('');
  private counted = 0;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly list: Listed,
    private readonly step: number,
  ) {}

  /** Those that are known by now: the first of each step. */
  async starts(): Promise<readonly string[]> {
    this.looking ??= this.advance().finally(() => (this.looking = null));
    await this.looking;
    return this.found;
  }

  private async advance(): Promise<void> {
    for (let looked = 0; looked < LOOKED_AT_MAX;) {
      const documents = await documentsFrom(this.list, this.last, FIND_MAX);
      for (const { id, opened } of documents) {
        if (this.counted % this.step === 0) this.found.push(opened);
        this.counted += 1;
        this.last = [opened, id];
      }
      if (documents.length < FIND_MAX) return;
      looked += documents.length;
    }
  }
}
