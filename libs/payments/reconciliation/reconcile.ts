import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RpcPool } from '#libs/payments/rpc.js';
import type { Difference } from './differences.js';
import { readPaymentsOfLog } from './logged-payments.js';
import { type RailInput, type RailReport, reconcileRail } from './reconcile-rail.js';
import { type RailCursor, readReconciliation, saveReconciliation, unexplained } from './reconciliation-state.js';

interface ReconciliationInput {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  readonly vault: Pick<Vault, 'get' | 'replace'>;
  readonly types: EventTypeRegistry;
  readonly chains: readonly { readonly rail: Rail; readonly urls: readonly string[] }[];
  readonly paysService: RailInput['paysService'];
  readonly now: number;
  /** First block by rail, instead of the cursor. */
  readonly since?: ReadonlyMap<string, number>;
  /** Ids of differences that the operator explains. */
  readonly acknowledged?: readonly string[];
}

export interface ReconciliationReport {
  readonly rails: readonly RailReport[];
  /** Differences of all rails that the operator has not acknowledged. */
  readonly differences: readonly Difference[];
}

/**
 * Compares the payments of the log with the chains, from the block after the last run on, and saves the cursors. Reads
 * final blocks only. Throws `Unavailable` if no node of a chain answers.
 */
export async function reconcile(input: ReconciliationInput): Promise<ReconciliationReport> {
  const { vault, types, now, paysService, since } = input;
  const log = await readPaymentsOfLog(input.log, types);
  const earlier = await readReconciliation(vault);
  const reports: RailReport[] = [];
  const rails: { [rail: string]: RailCursor } = { ...earlier.rails };
  for (const { rail, urls } of input.chains) {
    const pool = new RpcPool(urls, `The chain ${rail.short}`);
    const cursor = earlier.rails[rail.name];
    const readLogAgain = () => readPaymentsOfLog(input.log, types);
    const railInput = { rail, log, paysService, now, readLogAgain, cursor, since: since?.get(rail.name) };
    const { report, cursor: next } = await pool.callFirst(address => reconcileRail(address, railInput));
    reports.push(report);
    rails[rail.name] = next;
  }
  const acknowledged = [...new Set([...earlier.acknowledged, ...(input.acknowledged ?? [])])];
  const state = { at: now, rails, acknowledged };
  await saveReconciliation(vault, state);
  return { rails: reports, differences: unexplained(state) };
}
