import type { AuditableDecision, DecisionTable } from '#libs/endpoints/decision.js';
import type { DeclaredFollowUps, FollowUp, ReadState } from '#libs/endpoints/follow-ups.js';
import { ifReplayable } from '#libs/endpoints/decision.js';
import { ClockMoved } from '#libs/domain/service.js';
import { hasOrderedTime } from '#libs/event-log/append-times.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { addToList } from '#libs/kernel/list-map.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import type { Check, ExaminedEvent } from './check.js';
import { ClockFollowUps } from './clock-follow-ups.js';

const DUE_MS = 10 * MINUTE_MS;

interface PendingFollowUp extends FollowUp {
  readonly decision: string;
  readonly cause: ExaminedEvent['shown'];
  /** In time that counts. */
  readonly dueMs: number;
}

type FollowingDecision = AuditableDecision & { readonly followUps: DeclaredFollowUps };

/** Counts the time between events. A gap counts as one minute at most, because the service may not have run. */
class CountedTime {
  ms = 0;
  /** Unix ms. */
  latest = Infinity;

  advance({ at, type }: Pick<Event, 'at' | 'type'>): void {
    if (!hasOrderedTime(type, EVENT_TYPES)) return;
    this.ms += Math.min(Math.max(at - this.latest, 0), MINUTE_MS);
    const isFirst = this.latest === Infinity || type === ClockMoved.type;
    this.latest = isFirst ? at : Math.max(this.latest, at);
  }
}

/** Finds what a reaction should have written after an event, and still would, and a cause that its event does not follow. */
export class FollowUpCheck implements Check {
  private readonly decisions = new Map<string, FollowingDecision[]>();
  private readonly time = new CountedTime();
  /** Things that end with a muse, by decision and muse. */
  private readonly things = new Map<string, unknown[]>();
  /** Ids of the events that ended a muse, by decision and muse. */
  private readonly ends = new Map<string, string[]>();
  /** Ids of the events that may be the cause of a decision, by decision and stream. */
  private readonly causes = new Map<string, string[]>();
  /** In order of their due times. */
  private readonly pending = new Set<PendingFollowUp>();
  private readonly pendingStreams = new Map<string, Set<PendingFollowUp>>();
  private readonly clock: ClockFollowUps;

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
    private readonly table: DecisionTable | null,
  ) {
    this.clock = new ClockFollowUps(this.read);
    for (const decision of table?.values() ?? []) if (isFollowing(decision)) this.addDecision(decision);
  }

  /** Runs after the event has changed the state. */
  examine({ shown, opened }: ExaminedEvent): void {
    this.time.advance(shown);
    if (opened) {
      this.checkCause(opened, shown);
      this.settle(opened.stream);
      this.clock.reschedule(opened.stream);
      for (const decision of this.decisions.get(opened.type) ?? []) this.follow(decision, opened, shown);
    }
    for (const followUp of this.clock.takeDue(this.time.latest)) this.addOwed(followUp);
    this.reportDue();
  }

  private addDecision(decision: FollowingDecision): void {
    const { after, endsWith } = decision.followUps;
    for (const type of [...after, ...(endsWith?.types ?? [])])
      this.decisions.set(type, [...(this.decisions.get(type) ?? []), decision]);
  }

  /** Types of causes are compared elsewhere. */
  private checkCause({ decided_by, stream, cause }: Event, shown: ExaminedEvent['shown']): void {
    const decision = this.table?.get(decided_by);
    if (!decision || !isFollowing(decision) || !followsItsCauses(decision)) return;
    if (this.causes.get(`${decision.name} ${stream}`)?.includes(cause)) return;
    this.findings.add('cause', `Its cause is another event than the one that ${decision.name} follows.`, shown);
  }

  private readonly read: ReadState = ({ stream, entity }) => this.facts.history.latestState(stream, entity);

  private follow({ name, followUps }: FollowingDecision, opened: Event, cause: ExaminedEvent['shown']): void {
    for (const thing of this.findThings(name, followUps, opened)) {
      const followUp = followUps.followUp(thing, opened);
      const ended = followUps.endsWith ? this.ends.get(`${name} ${followUps.endsWith.museOf(thing)}`) : undefined;
      for (const id of ended ?? []) addToList(this.causes, `${name} ${followUp.stream}`, id);
      addToList(this.causes, `${name} ${followUp.stream}`, opened.id);
      if (followUps.dueAt) this.clock.add(followUps, thing, { decision: name, cause });
      else this.addOwed({ ...followUp, decision: name, cause });
    }
  }

  private findThings(name: string, followUps: DeclaredFollowUps, event: Event): readonly unknown[] {
    const { after, endsWith } = followUps;
    const keyOf = (muse: string) => `${name} ${muse}`;
    if (endsWith?.types.includes(event.type)) {
      const muses = endsWith.musesOf(event, this.read);
      for (const muse of muses) addToList(this.ends, keyOf(muse), event.id);
      return muses.flatMap(muse => this.things.get(keyOf(muse)) ?? []);
    }
    const things = after.includes(event.type) ? followUps.about(event) : [];
    if (!endsWith) return things;
    for (const thing of things) addToList(this.things, keyOf(endsWith.museOf(thing)), thing);
    return things;
  }

  private isOwed({ remaining }: FollowUp): boolean {
    return ifReplayable(false, () => remaining(this.read).some(({ type }) => isPublic(type)));
  }

  private addOwed(followUp: Omit<PendingFollowUp, 'dueMs'>): void {
    if (this.isOwed(followUp)) this.add({ ...followUp, dueMs: this.time.ms + DUE_MS });
  }

  private add(followUp: PendingFollowUp): void {
    this.pending.add(followUp);
    const others = this.pendingStreams.get(followUp.stream);
    if (others) others.add(followUp);
    else this.pendingStreams.set(followUp.stream, new Set([followUp]));
  }

  private settle(stream: string): void {
    for (const followUp of this.pendingStreams.get(stream) ?? []) if (!this.isOwed(followUp)) this.delete(followUp);
  }

  private delete(followUp: PendingFollowUp): void {
    this.pending.delete(followUp);
    const others = this.pendingStreams.get(followUp.stream)!;
    others.delete(followUp);
    if (others.size === 0) this.pendingStreams.delete(followUp.stream);
  }

  private reportDue(): void {
    for (const followUp of this.pending) {
      if (followUp.dueMs > this.time.ms) return;
      this.delete(followUp);
      if (!this.isOwed(followUp)) continue;
      const { decision, stream, cause } = followUp;
      const sentence = `It was not followed by ${decision} in ${stream} for 10 minutes.`;
      this.findings.add('missing', sentence, cause);
    }
  }
}

const isPublic = (type: string) => EVENT_TYPES.get(type)?.privateType === false;

/** Some decisions follow from one event and name an earlier one as their cause. */
const followsItsCauses = ({ causes, followUps: { after, endsWith } }: FollowingDecision) =>
  causes.every(cause => after.includes(cause) || endsWith?.types.includes(cause) === true);

const isFollowing = (decision: AuditableDecision): decision is FollowingDecision =>
  decision.followUps !== undefined && decision.writes.some(isPublic);
