export type Kind = 'field' | 'state' | 'error' | 'limit' | 'rule';

/** One thing that the specification asks for. */
export interface Row {
  /** Of the interface specification; with an `i` before it, of the page that decides what it leaves open. */
  readonly section: string;
  readonly kind: Kind;
  readonly item: string;
  /** The part that builds it. */
  readonly part: number;
  /** `file > name` of a test that would fail without it; null where there is none. */
  readonly test: string | null;
}

/** Items of one section that one test covers. */
export function covered(section: string, kind: Kind, part: number, test: string, ...items: readonly string[]): Row[] {
  return items.map(item => ({ section, kind, item, part, test }));
}

/** The words of a text: names of fields or codes. */
export const words = (text: string) => text.trim().split(/\s+/);
