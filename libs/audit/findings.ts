import { escapeLine } from '#libs/terminal/print.js';

const FINDINGS_MAX = 1_000;

/** Characters. A forged event may contain megabytes. */
const TEXT_LENGTH_MAX = 1_000;

function truncate(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)} ...`;
}

export type FindingKind =
  | 'origin'
  | 'source'
  | 'order'
  | 'digest'
  | 'tree'
  | 'signature'
  | 'withheld'
  | 'nonce'
  | 'id'
  | 'cause'
  | 'request_twice'
  | 'state'
  | 'decision'
  | 'time'
  | 'unread'
  | 'stale'
  | 'issuer'
  | 'shown'
  | 'record'
  | 'payment'
  | 'void'
  | 'missing'
  | 'unknown_rule';

export interface Finding {
  readonly kind: FindingKind;
  readonly position: string | null;
  readonly stream: string | null;
  readonly revision: number | null;
  readonly type: string | null;
  readonly problem: string;
}

export interface FindingLocation {
  readonly position?: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly type?: string;
}

export class Findings {
  readonly list: Finding[] = [];
  /** Number of findings of each kind, including unlisted ones. */
  readonly kinds: { [kind in FindingKind]?: number } = {};
  private count = 0;

  get total(): number {
    return this.count;
  }

  add(kind: FindingKind, problem: string, { position, stream, revision, type }: FindingLocation = {}): void {
    this.count += 1;
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    if (this.list.length >= FINDINGS_MAX) return;
    this.list.push({
      kind,
      position: truncate(position),
      stream: truncate(stream),
      revision: revision ?? null,
      type: truncate(type),
      problem: truncate(problem)!,
    });
  }
}

/** Format: `position stream@revision type: sentence`. */
export function findingLine({ position, stream, revision, type, problem }: Finding): string {
  const place = stream === null ? null : revision === null ? stream : `${stream}@${revision}`;
  const location = [position?.replace(/^0+(?=.)/, ''), place, type].filter(part => part !== null && part !== undefined);
  return escapeLine(location.length > 0 ? `${location.join(' ')}: ${problem}` : problem);
}
