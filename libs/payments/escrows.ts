import { setTimeout as pause } from 'node:timers/promises';
import { EscrowExecutor, type EscrowState } from './escrow-executor.js';
import { endKey, EscrowLedger } from './escrow-ledger.js';
import type { EscrowStep } from './escrow-machine.js';
import { escrowCaseOf, EscrowSettlement } from './escrow-settlement.js';
import type { OpenEscrows } from './open-escrows.js';
import type { PaymentsDependencies } from './payments.js';
import { SettlementDriver } from './settlement-driver.js';
import { SettlementErrorLog } from './settlement-error-log.js';
import type { Timing } from './timing.js';
import type { RailConnection, TransactionSender } from './transaction-sender.js';

export interface Escrows {
  readonly settlement: EscrowSettlement;
  readonly driver: SettlementDriver<EscrowState, EscrowStep>;
}

type EscrowsDependencies = Pick<
  PaymentsDependencies,
  'journal' | 'clock' | 'integers' | 'chains' | 'sleep' | 'beforeEscrowStep' | 'afterEscrowStep'
> & {
  readonly timing: Timing;
  readonly sender: TransactionSender;
  readonly report: (error: unknown, payment: string) => void;
};

/** Parts that release and return the money of escrows. */
export function makeEscrows(
  dependencies: EscrowsDependencies,
  connections: readonly RailConnection[],
  open: OpenEscrows,
): Escrows {
  const { journal, clock, integers, chains, timing, sender, report, sleep = pause } = dependencies;
  const { beforeEscrowStep, afterEscrowStep } = dependencies;
  const machine = new EscrowExecutor({
    ledger: new EscrowLedger(journal, clock, integers),
    clock,
    timing,
    sender,
    connections,
    caseOf: streams => escrowCaseOf(open, streams),
  });
  const driver = new SettlementDriver({
    machine,
    clock,
    timing,
    sleep,
    errorLog: new SettlementErrorLog(report),
    onEnded: payment => connections.forEach(({ relayer }) => relayer.forgetPayment(endKey(payment))),
    ...(beforeEscrowStep && { beforeStep: beforeEscrowStep }),
    ...(afterEscrowStep && { afterStep: afterEscrowStep }),
  });
  return { driver, settlement: new EscrowSettlement({ chains, open, driver, clock, timing, report }) };
}
