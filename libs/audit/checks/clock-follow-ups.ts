import { NotReplayable } from '#libs/endpoints/decision.js';
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
  private readonly scheduled = new Map<string, Scheduled>();
  private earliest = Infinity;

  constructor(private readonly read: ReadState) {}

  add(followUps: DeclaredFollowUps, thing: unknown, owed: Owed): void {
    const { stream } = followUps.followUp(thing, { at: 0 });
    this.schedule(stream, { ...owed, followUps, thing, at: 0 });
  }

  /** A later event may move the time, also of a decision that was due before. */
  reschedule(stream: string): void {
    const known = this.scheduled.get(stream);
    if (known) this.schedule(stream, known);
  }

  takeDue(now: number): (FollowUp & Owed)[] {
    if (now < this.earliest || now === Infinity) return [];
    const due = [...this.scheduled].filter(([, { at }]) => at <= now);
    for (const [stream, each] of due) this.scheduled.set(stream, { ...each, at: Infinity });
    this.earliest = Infinity;
    for (const { at } of this.scheduled.values()) this.earliest = Math.min(this.earliest, at);
    return due.map(([, { followUps, thing, at, decision, cause }]) => ({
      ...followUps.followUp(thing, { at }),
      decision,
      cause,
    }));
  }

  private schedule(stream: string, entry: Scheduled): void {
    const at = this.dueAt(entry);
    if (at === null) {
      this.scheduled.delete(stream);
      return;
    }
    this.scheduled.set(stream, { ...entry, at });
    this.earliest = Math.min(this.earliest, at);
  }

  private dueAt({ followUps, thing }: Scheduled): number | null {
    try {
      return followUps.dueAt!(thing, this.read);
    } catch (error) {
      if (error instanceof NotReplayable) return null;
      throw error;
    }
  }
}
