import { FIND_MAX } from '#libs/documents/index-range.js';
import type { Collection, Scalar } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** How many documents one request looks at, to find where the next files begin. */
const SCANNED_MAX = 20 * FIND_MAX;

/** A list in the order of the log. */
export interface OrderedList<D extends JsonObject = JsonObject> {
  readonly collection: () => Collection<D>;
  /** An index whose one open field is `opened`. */
  readonly index: string;
  readonly equals: readonly Scalar[];
}

/** The documents of a list from a position of the log on. */
export async function documentsFrom<D extends JsonObject>(
  { collection, index, equals }: OrderedList<D>,
  after: readonly Scalar[],
  limit: number,
): Promise<{ readonly id: string; readonly opened: string; readonly body: D }[]> {
  const found = await collection().find({ index, equals, order: 'asc', limit, after });
  return found.map(({ id, body }) => ({ id, opened: body['opened'] as string, body }));
}

/** Before every id at a position. */
export const positionKey = (position: string): readonly Scalar[] => [position, ''];

/**
 * Where in a list every so-many-th document stands. The list grows at its end alone, so what was found stays, and each
 * request goes on where the last one ended: no list is ever read from its beginning again.
 */
export class FileBoundaries {
  private readonly positions: string[] = [];
  private last: readonly Scalar[] = positionKey('');
  private counted = 0;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly list: OrderedList,
    private readonly step: number,
  ) {}

  /** Those that are known by now: the first of each step. */
  async starts(): Promise<readonly string[]> {
    this.looking ??= this.advance().finally(() => (this.looking = null));
    await this.looking;
    return this.positions;
  }

  private async advance(): Promise<void> {
    for (let looked = 0; looked < SCANNED_MAX;) {
      const documents = await documentsFrom(this.list, this.last, FIND_MAX);
      for (const { id, opened } of documents) {
        if (this.counted % this.step === 0) this.positions.push(opened);
        this.counted += 1;
        this.last = [opened, id];
      }
      if (documents.length < FIND_MAX) return;
      looked += documents.length;
    }
  }
}
