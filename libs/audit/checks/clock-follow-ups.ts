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
  /** Unix ms. */
  readonly at: number;
}

/** Decisions by the clock that an event of their stream can move. */
export class ClockFollowUps {
  /** By stream and decision. */
  private readonly scheduled = new Map<string, Map<string, Scheduled>>();
  private earliest = Infinity;

  constructor(private readonly read: ReadState) {}

  add(followUps: DeclaredFollowUps, thing: unknown, owed: Owed): void {
    const { stream } = followUps.followUp(thing, { at: 0 });
    this.schedule(stream, { ...owed, followUps, thing, at: 0 });
  }

  /** A later event may move the time, also of a decision that was due before. */
  reschedule(stream: string): void {
    for (const known of this.scheduled.get(stream)?.values() ?? []) this.schedule(stream, known);
  }

  takeDue(now: number): (FollowUp & Owed)[] {
    if (now < this.earliest || now === Infinity) return [];
    const due: (FollowUp & Owed)[] = [];
    this.earliest = Infinity;
    for (const ofStream of this.scheduled.values())
      for (const [key, each] of ofStream) {
        const { followUps, thing, at, decision, cause } = each;
        if (at > now) this.earliest = Math.min(this.earliest, at);
        else {
          ofStream.set(key, { ...each, at: Infinity });
          due.push({ ...followUps.followUp(thing, { at }), decision, cause });
        }
      }
    return due;
  }

  private schedule(stream: string, entry: Scheduled): void {
    const at = this.dueAt(entry);
    const ofStream = this.scheduled.get(stream);
    if (at === null) {
      ofStream?.delete(entry.decision);
      if (ofStream?.size === 0) this.scheduled.delete(stream);
      return;
    }
    if (ofStream) ofStream.set(entry.decision, { ...entry, at });
    else this.scheduled.set(stream, new Map([[entry.decision, { ...entry, at }]]));
    this.earliest = Math.min(this.earliest, at);
  }

  private dueAt({ followUps, thing }: Scheduled): number | null {
    return ifReplayable(null, () => followUps.dueAt!(thing, this.read));
  }
}
