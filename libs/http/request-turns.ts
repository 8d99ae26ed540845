import { afterSomeTurns } from './cooperative-scheduler.js';

/** Time in which requests begin until other work has its turns. */
const BEGINNING_MS = 5;
const BEGUN_PER_TURN_MAX = 16;

/**
 * Begins requests at once while the event loop keeps up. Otherwise they wait, and the addresses take turns, so that no
 * caller holds up the others. In between, new connections are accepted.
 */
export class RequestTurns {
  private readonly urgent: (() => void)[] = [];
  private readonly byAddress = new Map<string, (() => void)[]>();
  private isUrgentNext = true;
  private waiting = 0;
  private scheduled = 0;
  private endsAt: number | undefined;

  /** Urgent requests get every other turn: an orchestrator ends a service whose liveness probe waits too long. */
  begin(address: string, isUrgent: boolean, handle: () => void): void {
    if (this.waiting === 0 && this.hasTime()) return handle();
    this.queueOf(address, isUrgent).push(handle);
    this.waiting += 1;
    this.schedule();
  }

  private queueOf(address: string, isUrgent: boolean): (() => void)[] {
    if (isUrgent) return this.urgent;
    const queue = this.byAddress.get(address) ?? [];
    this.byAddress.set(address, queue);
    return queue;
  }

  private hasTime(): boolean {
    if (this.endsAt === undefined) {
      this.endsAt = performance.now() + BEGINNING_MS;
      setImmediate(this.endTurn);
    }
    return performance.now() < this.endsAt;
  }

  private readonly endTurn = () => {
    if (performance.now() >= this.endsAt!) afterSomeTurns(this.renew);
    else if (this.waiting > 0) setImmediate(this.endTurn);
    else this.endsAt = undefined;
  };

  private readonly renew = () => {
    this.endsAt = undefined;
    this.schedule();
  };

  /** Gives each request an immediate of its own, after which Node runs what the request continues with. */
  private schedule(): void {
    if (this.waiting === 0 || !this.hasTime()) return;
    for (; this.scheduled < Math.min(this.waiting, BEGUN_PER_TURN_MAX); this.scheduled += 1)
      setImmediate(this.beginNext);
  }

  private readonly beginNext = () => {
    this.scheduled -= 1;
    if (this.waiting > 0 && this.hasTime()) this.takeNext()();
    this.schedule();
  };

  private takeNext(): () => void {
    this.waiting -= 1;
    const [first] = this.byAddress;
    const urgent = this.isUrgentNext || !first ? this.urgent.shift() : undefined;
    this.isUrgentNext = urgent === undefined;
    if (urgent) return urgent;
    const [address, queue] = first!;
    const handle = queue.shift()!;
    // Moves the address behind all others.
    this.byAddress.delete(address);
    if (queue.length > 0) this.byAddress.set(address, queue);
    return handle;
  }
}

/** Shared by all that begins or resumes requests in this process. */
export const REQUEST_TURNS = new RequestTurns();
