import { Members } from '#libs/platform/coordination/members.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { rendezvousWeight } from '#libs/platform/coordination/rendezvous.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';

/** How long a process that no longer says that it is there keeps its payments. */
export const MEMBERSHIP_MS = 15 * SECOND_MS;

/**
 * The processes that drive open payments. Each payment is one process's by rendezvous hashing: of all that are there
 * the one whose hash with the payment's id is highest, so that one that comes or goes moves no payment between two
 * others. Two that drive one payment while they disagree do no harm; they only do the same work twice. One that finds
 * no room drives what its own requests wait for.
 */
export class PaymentAssignment {
  private readonly members: Members;

  constructor(
    coordination: Coordination,
    clock: Clock,
    /** Names this process. */
    private readonly processId: string,
  ) {
    this.members = new Members(coordination, clock, { of: 'payments', me: processId, keptMs: MEMBERSHIP_MS });
  }

  /** Says that this process is there, and answers which payments are its own. Errors: `Unavailable`. */
  async join(): Promise<(payment: string) => boolean> {
    const all = await this.members.join();
    if (!all.includes(this.processId)) return () => false;
    return payment => all.every(other => rendezvousWeight(this.processId, payment) >= rendezvousWeight(other, payment));
  }

  /** Leaves its payments to the others. */
  async leave(): Promise<void> {
    await this.members.leave();
  }
}
