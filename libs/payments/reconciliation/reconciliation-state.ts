import type { Position } from '#libs/kernel/event.js';
import { readEntry, saveEntry } from '#libs/platform/vault/json-entries.js';
import type { Vault } from '#libs/platform/vault/port.js';
import type { Difference } from './differences.js';

/** Name in the vault. Not in backups, because a position is valid in one log only. */
export const RECONCILIATION = 'reconciliation';

/** End of the last run on a rail. */
export interface RailCursor {
  /** Newest block that was compared: it was final. */
  readonly block: number;
  readonly hash: string;
  /** Head of the log at that run. */
  readonly position: Position;
  readonly relayers: { readonly [account: string]: { readonly nonce: number; readonly wei: string } };
  readonly differences: readonly Difference[];
  /** Transfers of open payments, whose events are still to come. */
  readonly waiting: readonly string[];
}

export interface ReconciliationState {
  /** Unix ms. */
  readonly at: number;
  readonly rails: { readonly [rail: string]: RailCursor };
  /** Ids of differences that the operator has explained. */
  readonly acknowledged: readonly string[];
}

const NO_RUN: ReconciliationState = { at: 0, rails: {}, acknowledged: [] };

export const readReconciliation = async (vault: Pick<Vault, 'get'>): Promise<ReconciliationState> =>
  (await readEntry<ReconciliationState>(vault, RECONCILIATION)) ?? NO_RUN;

export const saveReconciliation = (vault: Pick<Vault, 'replace'>, state: ReconciliationState): Promise<void> =>
  saveEntry(vault, RECONCILIATION, state);

/** Differences without an explanation by the operator. */
export function unexplained({ rails, acknowledged }: ReconciliationState): Difference[] {
  const explained = new Set(acknowledged);
  return Object.values(rails).flatMap(({ differences }) => differences.filter(({ id }) => !explained.has(id)));
}
