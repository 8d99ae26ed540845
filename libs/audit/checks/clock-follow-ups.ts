import { ifReplayable } from '#libs/endpoints/decision.js';
import type { DeclaredFollowUps, FollowUp, ReadState } from '#libs/endpoints/follow-ups.js';
import type { ExaminedEvent } from './check.js';

interface Owed {
  readonly decision: string;
  readonly cause: ExaminedEvent['shown'];
}

interface Scheduled extends Owed {
  readonly followUps: DeclaredFollowUps;
  readonly thing: unknown;
  /** Unix ms; infinite while nothing is due. */
  readonly at: number;
  /** Streams that the time follows from. */
  readonly streams: ReadonlySet<string>;
}

/** Decisions by the clock that an event of a stream can move. */
export class ClockFollowUps {
  /** By decision and stream. */
  private readonly scheduled = new Map<string, Scheduled>();
  /** Keys of `scheduled` by each stream that is read for them. */
  private readonly readers = new Map<string, Set<string>>();
  private earliest = Infinity;

  constructor(private readonly read: ReadState) {}

  add(followUps: DeclaredFollowUps, thing: unknown, owed: Owed): void {
    const { stream } = followUps.followUp(thing, { at: 0 });
    this.schedule(`${owed.decision} ${stream}`, { ...owed, followUps, thing, at: Infinity, streams: new Set() });
  }

  /** A later event may move the time, also of a decision that was due before. */
  reschedule(stream: string): void {
    for (const key of [...(this.readers.get(stream) ?? [])]) this.schedule(key, this.scheduled.get(key)!);
  }

  takeDue(now: number): (FollowUp & Owed)[] {
    if (now < this.earliest || now === Infinity) return [];
    const due: (FollowUp & Owed)[] = [];
    this.earliest = Infinity;
    for (const [key, each] of this.scheduled) {
      const { followUps, thing, at, decision, cause } = each;
      if (at > now) this.earliest = Math.min(this.earliest, at);
      else {
        this.scheduled.set(key, { ...each, at: Infinity });
        due.push({ ...followUps.followUp(thing, { at }), decision, cause });
      }
    }
    return due;
  }

  private schedule(key: string, entry: Scheduled): void {
    this.remove(key);
    const streams = new Set<string>();
    const at = this.dueAt(entry, source => {
      streams.add(source.stream);
      return this.read(source);
    });
    // Without a time, another stream may still lead to one.
    if (at === null && streams.size <= 1) return;
    this.scheduled.set(key, { ...entry, at: at ?? Infinity, streams });
    for (const stream of streams) this.readers.set(stream, (this.readers.get(stream) ?? new Set()).add(key));
    this.earliest = Math.min(this.earliest, at ?? Infinity);
  }

  private remove(key: string): void {
    for (const stream of this.scheduled.get(key)?.streams ?? []) {
      const keys = this.readers.get(stream)!;
      keys.delete(key);
      if (keys.size === 0) this.readers.delete(stream);
    }
    this.scheduled.delete(key);
  }

  private dueAt({ followUps, thing }: Scheduled, read: ReadState): number | null {
    return ifReplayable(null, () => followUps.dueAt!(thing, read));
  }
}
