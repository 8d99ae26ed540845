export type Kind = 'field' | 'state' | 'error' | 'limit' | 'rule';

/** A requirement of the specification. */
export interface Row {
  /** Section of the interface specification, or with a leading `i` of its supplement. */
  readonly section: string;
  readonly kind: Kind;
  readonly item: string;
  /** Delivery stage of the requirement. */
  readonly part: number;
  /** `file > name` of a test that would fail without it, or null. */
  readonly test: string | null;
}

/** Creates rows for the items of a section that a test covers. */
export function covered(section: string, kind: Kind, part: number, test: string, ...items: readonly string[]): Row[] {
  return items.map(item => ({ section, kind, item, part, test }));
}

/** Splits a text into names of fields or codes. */
export const words = (text: string) => text.trim().split(/\s+/);
