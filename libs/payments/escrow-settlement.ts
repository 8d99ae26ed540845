import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { type Clock, DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { firstChainOfEachRail } from './account-selection.js';
import { type Chain, isFinalWhenConfirmed, isPaymentOn } from './chain.port.js';
import type { EscrowCase, EscrowState } from './escrow-executor.js';
import type { EscrowParties, EscrowStreams } from './escrow-ledger.js';
import { type EscrowStep, UNOBSERVED_ESCROW } from './escrow-machine.js';
import { acceptedEvent } from './ledger.js';
import { hasOnlyToBeSecured, type OpenEscrow, type OpenEscrows, partiesIn } from './open-escrows.js';
import { WATCH_MS_MAX } from './open-payments.js';
import type { SettlementDriver } from './settlement-driver.js';
import type { Timing } from './timing.js';

/** Pause after a contract has refused a release, or when the payer may take the money back. */
const REFUSED_MS = 10 * MINUTE_MS;
const RECLAIM_CHECK_MS = MINUTE_MS;
const DRIVES_MAX = 64;
/** The next pass looks again. */
const NO_PATIENCE_MS = 0;

interface EscrowSettlementDependencies {
  readonly chains: readonly Chain[];
  readonly open: OpenEscrows;
  readonly driver: SettlementDriver<EscrowState, EscrowStep>;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly report: (error: unknown, payment: string) => void;
}

/**
 * Releases and returns the money of decided escrows, and notices those that are final or that the payer took back.
 */
export class EscrowSettlement {
  /** Unix ms of the next look, by payment. */
  private readonly nextLooks = new Map<string, number>();
  private readonly missingSince = new Map<string, number>();

  constructor(private readonly dependencies: EscrowSettlementDependencies) {}

  async runPass(isMine: (payment: string) => boolean): Promise<void> {
    const { open, clock } = this.dependencies;
    await open.refresh();
    const now = clock.now();
    const due = open.listDue().filter(({ id }) => isMine(id) && (this.nextLooks.get(id) ?? 0) <= now);
    const ready = await this.withoutWaiting(due, now);
    for (const escrow of ready.slice(0, DRIVES_MAX)) await this.look(escrow, now);
  }

  /** Reads the heads of a chain once, and only if an escrow waits for them. */
  private async withoutWaiting(due: readonly OpenEscrow[], now: number): Promise<readonly OpenEscrow[]> {
    const waiting = new Set(due.filter(escrow => isUnsecured(escrow, now)));
    if (waiting.size === 0) return due;
    for (const chain of firstChainOfEachRail(this.dependencies.chains)) {
      const mine = [...waiting].filter(({ id }) => isPaymentOn(chain.rail, id));
      const final = mine.length === 0 ? 0 : await withOutageFallback(async () => (await chain.heads()).final, 0);
      for (const escrow of mine) if (escrow.block <= final && this.hasKeyOf(escrow)) waiting.delete(escrow);
    }
    return due.filter(escrow => !waiting.has(escrow));
  }

  /** Without the key of its account this process cannot do anything for an escrow. */
  private hasKeyOf({ operator }: OpenEscrow): boolean {
    return this.dependencies.chains.some(({ relayer }) => relayer.toLowerCase() === operator);
  }

  private async look(escrow: OpenEscrow, now: number): Promise<void> {
    try {
      if (escrow.end) await this.checkEnd(escrow, escrow.end, now);
      else await this.drive(escrow, now);
    } catch (error) {
      if (!(error instanceof Unavailable)) this.dependencies.report(error, escrow.id);
    }
  }

  private async drive(escrow: OpenEscrow, now: number): Promise<void> {
    const { id, decision } = escrow;
    const { driver, timing } = this.dependencies;
    if (isUnsecured(escrow, now)) return void (await driver.drive(id, NO_PATIENCE_MS));
    const state = await driver.drive(id, timing.passMs);
    if (!isEscrow(state.streams)) this.dependencies.open.stopWatching(id);
    else this.nextLooks.set(id, now + pauseAfter(state, decision !== null, timing));
  }

  /** Checks an end once per pass until it is final, and looks for another one if a reorganisation removed it. */
  private async checkEnd({ id }: OpenEscrow, end: NonNullable<OpenEscrow['end']>, now: number): Promise<void> {
    const { open, driver, timing } = this.dependencies;
    const chain = this.chainOf(id);
    if (!chain || isFinalWhenConfirmed(chain.rail) || now - end.at >= WATCH_MS_MAX) return open.stopWatching(id);
    const { final } = await chain.heads();
    const missingSince = this.missingSince.get(id) ?? now;
    const observation = { ...UNOBSERVED_ESCROW, missingSince };
    const state = await driver.drive(id, timing.passMs, { observation });
    const isThere = driver.next(state).do === 'done';
    if (isThere) this.missingSince.delete(id);
    else this.missingSince.set(id, missingSince);
    if (isThere && end.block <= final) open.stopWatching(id);
  }

  private chainOf(payment: string): Chain | undefined {
    return firstChainOfEachRail(this.dependencies.chains).find(({ rail }) => isPaymentOn(rail, payment));
  }
}

const isUnsecured = (escrow: OpenEscrow, now: number) => hasOnlyToBeSecured(escrow) && now < escrow.deadline;

/** A void payment of another scheme has no escrow. */
const isEscrow = ({ payment }: EscrowStreams) => acceptedEvent(payment).data.escrow !== undefined;

function pauseAfter({ streams, observation }: EscrowState, isDecided: boolean, timing: Timing): number {
  const { onChain: seen } = observation;
  const isRefused = seen?.status === 'held' && seen.refusal !== null;
  if (isRefused) return streams.escrow.state.isStuck ? DAY_MS : REFUSED_MS;
  return isDecided ? timing.watchMs : RECLAIM_CHECK_MS;
}

/** Decision and parties as the log has them. Those of a hire that was not made come from its payment. */
export function escrowCaseOf(open: OpenEscrows, { payment }: EscrowStreams): EscrowCase {
  const { payment: id, muse_id: poster, subject } = acceptedEvent(payment).data;
  const escrow = open.get(id);
  const { decision = null } = escrow ?? {};
  if (escrow?.parties && decision?.reason !== 'void') return { decision, parties: escrow.parties };
  return { decision, parties: partiesIn({ ...(subject as Partial<EscrowParties> | null), poster }) };
}
