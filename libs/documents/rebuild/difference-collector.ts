const EXAMPLES_MAX = 100;

export interface ParityDifference {
  readonly id: string;
  readonly kind: 'only_in_live' | 'only_in_new' | 'different';
  readonly fields: readonly string[];
}

type DifferenceKind = ParityDifference['kind'];

/** Keeps the kind of every difference, since all documents may differ, and details of the first ones. */
export class DifferenceCollector {
  private readonly kinds = new Map<string, DifferenceKind>();
  private readonly detailed = new Map<string, ParityDifference>();

  set(id: string, difference: ParityDifference | null): void {
    this.detailed.delete(id);
    if (difference === null) this.kinds.delete(id);
    else this.kinds.set(id, difference.kind);
    if (difference && this.detailed.size < EXAMPLES_MAX) this.detailed.set(id, difference);
  }

  count(kind: DifferenceKind): number {
    let count = 0;
    for (const each of this.kinds.values()) if (each === kind) count += 1;
    return count;
  }

  get examples(): ParityDifference[] {
    return [...this.detailed.values()];
  }
}
