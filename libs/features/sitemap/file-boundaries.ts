import { FIND_MAX } from '#libs/documents/index-range.js';
import type { Collection, Scalar } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** Maximum number of documents that one request scans for further boundaries. */
const SCANNED_MAX = 20 * FIND_MAX;

/** A list in log order. */
export interface OrderedList<D extends JsonObject = JsonObject> {
  readonly collection: () => Collection<D>;
  /** The index must end in the field `opened`. */
  readonly index: string;
  readonly equals: readonly Scalar[];
}

export async function documentsFrom<D extends JsonObject>(
  { collection, index, equals }: OrderedList<D>,
  after: readonly Scalar[],
  limit: number,
): Promise<{ readonly id: string; readonly opened: string; readonly body: D }[]> {
  const documents = await collection().find({ index, equals, order: 'asc', limit, after });
  return documents.map(({ id, body }) => ({ id, opened: body['opened'] as string, body }));
}

/** Sorts before every document at the position. */
export const positionKey = (position: string): readonly Scalar[] => [position, ''];

/**
 * Finds the positions at which files begin: those of every `step`-th document. Lists only grow at the end, so each
 * request continues where the last one stopped.
 */
export class FileBoundaries {
  private readonly positions: string[] = [];
  private last: readonly Scalar[] = positionKey('');
  private counted = 0;
  private search: Promise<void> | null = null;

  constructor(
    private readonly list: OrderedList,
    private readonly step: number,
  ) {}

  /** The boundaries found so far. */
  async starts(): Promise<readonly string[]> {
    this.search ??= this.advance().finally(() => (this.search = null));
    await this.search;
    return this.positions;
  }

  private async advance(): Promise<void> {
    for (let scanned = 0; scanned < SCANNED_MAX;) {
      const documents = await documentsFrom(this.list, this.last, FIND_MAX);
      for (const { id, opened } of documents) {
        if (this.counted % this.step === 0) this.positions.push(opened);
        this.counted += 1;
        this.last = [opened, id];
      }
      if (documents.length < FIND_MAX) return;
      scanned += documents.length;
    }
  }
}
