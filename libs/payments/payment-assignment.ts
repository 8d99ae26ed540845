import { Members } from '#libs/platform/coordination/members.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { rendezvousWeight } from '#libs/platform/coordination/rendezvous.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';

export const MEMBERSHIP_MS = 15 * SECOND_MS;

/**
 * Assigns each open payment to one process by rendezvous hashing, so that a joining or leaving process moves few
 * payments. Two processes that drive the same payment only duplicate work.
 */
export class PaymentAssignment {
  private readonly members: Members;

  constructor(
    coordination: Coordination,
    clock: Clock,
    private readonly processId: string,
  ) {
    this.members = new Members(coordination, clock, { group: 'payments', member: processId, ttlMs: MEMBERSHIP_MS });
  }

  async join(): Promise<(payment: string) => boolean> {
    const all = await this.members.join();
    if (!all.includes(this.processId)) return () => false;
    return payment => all.every(other => rendezvousWeight(this.processId, payment) >= rendezvousWeight(other, payment));
  }

  async leave(): Promise<void> {
    await this.members.leave();
  }
}
