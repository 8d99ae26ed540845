import { EVENT_TYPES } from '#libs/features/streams.js';
import { isPosition } from '#libs/kernel/event.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** UUID version 8 (RFC 9562). */
const DERIVED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export class OrderCheck implements Check {
  private lastPosition = '';
  private readonly streams = new Map<string, { revision: number; readonly ids: Map<string, number> }>();

  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    const { position, type, id, version } = shown;
    if (!isPosition(position)) this.report(`Its position ${position} is not valid.`, shown);
    if (position <= this.lastPosition)
      this.report(`Its position is not after the previous ${this.lastPosition}.`, shown);
    this.lastPosition = position;
    if (!DERIVED_ID.test(id)) this.report(`Its id ${id} is not a derived id (UUID version 8).`, shown);
    const eventType = EVENT_TYPES.get(type);
    if (!eventType || !(version >= 1 && version <= eventType.version))
      this.report(`This auditor does not know version ${version} of ${type}. Use a newer build of the auditor.`, shown);
    if (!opened && eventType?.privateType === false)
      this.report(`Only its digest is shown, but ${type} is not a private type.`, shown);
    if (opened) this.checkStream(shown);
  }

  /** Returns null if the log does not reach that revision. */
  isAtRevision(id: string, stream: string, revision: number): boolean | null {
    const order = this.streams.get(stream);
    return order && revision <= order.revision ? order.ids.get(id) === revision : null;
  }

  streamNames(): readonly string[] {
    return [...this.streams.keys()];
  }

  private checkStream(shown: ExaminedEvent['shown']): void {
    const { stream, revision, id } = shown;
    const { revision: latest, ids } = this.streams.get(stream) ?? { revision: -1, ids: new Map<string, number>() };
    const expected = latest + 1;
    const problem = revision > expected ? `revision ${expected} is missing` : 'that revision already exists';
    if (revision !== expected) this.report(`It is at revision ${revision} of its stream, but ${problem}.`, shown);
    if (ids.has(id)) this.report(`Its id ${id} already exists in its stream.`, shown);
    ids.set(id, revision);
    this.streams.set(stream, { revision: Math.max(latest, revision), ids });
  }

  private report(problem: string, shown: ExaminedEvent['shown']): void {
    this.findings.add('order', problem, shown);
  }
}
