import { EVENT_TYPES } from '#libs/features/streams.js';
import { isPosition } from '#libs/kernel/event.js';
import type { Findings } from '../findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** UUIDs of version 8 (RFC 9562), as every derived id is. */
const DERIVED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Positions ascend, revisions have no gaps, ids are unique in their stream, types and versions are known. */
export class OrderCheck implements Check {
  private last = '';
  private readonly streams = new Map<string, { revision: number; readonly ids: Map<string, number> }>();

  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    const { position, type, id, version } = shown;
    this.expect(isPosition(position), `Its position ${position} is none.`, shown);
    this.expect(position > this.last, `It does not stand behind the event before it, which is at ${this.last}.`, shown);
    this.last = position;
    this.expect(DERIVED_ID.test(id), `Its id ${id} is no derived one: no UUID of version 8.`, shown);
    const known = EVENT_TYPES.get(type);
    const sentence = `Version ${version} of ${type} is not known to this auditor.`;
    this.expect(known !== undefined && version >= 1 && version <= known.version, sentence, shown);
    const isHidden = !opened && known?.privateType === false;
    this.expect(!isHidden, `Its digest alone is shown, and ${type} is no private type.`, shown);
    if (opened) this.checkStream(shown);
  }

  /** Whether an event stands at a revision of its stream; null where the log does not reach so far. */
  isAtRevision(id: string, stream: string, revision: number): boolean | null {
    const known = this.streams.get(stream);
    return known && revision <= known.revision ? known.ids.get(id) === revision : null;
  }

  /** The names of every stream, in the order in which they were opened. */
  streamNames(): readonly string[] {
    return [...this.streams.keys()];
  }

  private checkStream(shown: ExaminedEvent['shown']): void {
    const { stream, revision, id } = shown;
    const before = this.streams.get(stream) ?? { revision: -1, ids: new Map<string, number>() };
    const expected = before.revision + 1;
    const skipped = revision > expected ? `revision ${expected} is missing` : 'that revision was there already';
    this.expect(revision === expected, `It is at revision ${revision} of its stream, and ${skipped}.`, shown);
    this.expect(!before.ids.has(id), `Its id ${id} stands in its stream already.`, shown);
    before.ids.set(id, revision);
    this.streams.set(stream, { revision: Math.max(before.revision, revision), ids: before.ids });
  }

  private expect(holds: boolean, otherwise: string, shown: ExaminedEvent['shown']): void {
    if (!holds) this.findings.add('order', otherwise, shown);
  }
}
