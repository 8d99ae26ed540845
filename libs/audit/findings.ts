import { escapeLine } from '#libs/terminal/escape-controls.js';

/** How many findings a report lists. Further ones are only counted. */
const FINDINGS_MAX = 1_000;

/** How much is told of one text, in characters: what is wrong may be megabytes long. */
const TEXT_SHOWN_MAX = 1_000;

function truncate(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.length <= TEXT_SHOWN_MAX ? text : `${text.slice(0, TEXT_SHOWN_MAX)} ...`;
}

/** What a finding is about. */
export type FindingKind =
  'source' | 'order' | 'digest' | 'tree' | 'signature' | 'nonce' | 'state' | 'decision' | 'record' | 'payment';

/** Something that is not as it is claimed, in a sentence. Where it is an event's, it names the event. */
export interface Finding {
  readonly kind: FindingKind;
  readonly position: string | null;
  readonly stream: string | null;
  readonly revision: number | null;
  readonly type: string | null;
  readonly problem: string;
}

/** Where something was found, as far as it is known. */
export interface FindingLocation {
  readonly position?: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly type?: string;
}

/** Collects what is wrong. */
export class Findings {
  readonly list: Finding[] = [];
  private count = 0;

  get total(): number {
    return this.count;
  }

  add(kind: FindingKind, problem: string, { position, stream, revision, type }: FindingLocation = {}): void {
    this.count += 1;
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

/** A finding as a line: `position stream@revision type: sentence`. */
export function findingLine({ position, stream, revision, type, problem }: Finding): string {
  const place = stream === null ? null : revision === null ? stream : `${stream}@${revision}`;
  const where = [position?.replace(/^0+(?=.)/, ''), place, type].filter(part => part !== null && part !== undefined);
  return escapeLine(where.length > 0 ? `${where.join(' ')}: ${problem}` : problem);
}
