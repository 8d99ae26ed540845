/** How many differences a report names; all of them are counted. */
const NAMED_MAX = 100;

/** A document that is not the same in the live build and in a new one. */
export interface ParityDifference {
  readonly id: string;
  readonly kind: 'only_in_live' | 'only_in_new' | 'different';
  /** Which fields differ, by the names and numbers that lead there. */
  readonly fields: readonly string[];
}

type DifferenceKind = ParityDifference['kind'];

/** What a comparison has found. All documents may differ: of each its kind is kept, and of the first ones how. */
export class DifferenceCollector {
  private readonly kinds = new Map<string, DifferenceKind>();
  private readonly named = new Map<string, ParityDifference>();

  /** What the last look at a document says; null where there is no difference. */
  set(id: string, difference: ParityDifference | null): void {
    this.named.delete(id);
    if (difference === null) this.kinds.delete(id);
    else this.kinds.set(id, difference.kind);
    if (difference && this.named.size < NAMED_MAX) this.named.set(id, difference);
  }

  count(kind: DifferenceKind): number {
    let count = 0;
    for (const each of this.kinds.values()) if (each === kind) count += 1;
    return count;
  }

  /** The first of them. */
  get examples(): ParityDifference[] {
    return [...this.named.values()];
  }
}
