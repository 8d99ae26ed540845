import { EVENT_TYPES } from '#libs/features/streams.js';
import { type LoggedPayment, readPaymentsOfLog } from '#libs/payments/reconciliation/logged-payments.js';
import { findRail } from '#libs/payments/rails.js';
import { formatCsv, MONTH, monthOf } from '#libs/payments/statement.js';
import { formatUnits, sumUnits } from '#libs/payments/reconciliation/sums.js';
import { SALES } from '#libs/service/sales.js';
import { openEventLog } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done, UsageError } from '#libs/terminal/command-line.js';
import { requireStores, useStore } from './stores.js';

/** Columns by their names. */
const COLUMNS: { readonly [name: string]: (payment: LoggedPayment) => string | number } = {
  settled_at: ({ settledAt }) => new Date(settledAt!).toISOString(),
  for: payment => termsOf(payment).endpoint,
  /** `service` for fees. */
  paid_to: payment => (paysService(termsOf(payment).endpoint) ? 'service' : 'agent'),
  agent: payment => termsOf(payment).muse_id,
  payer: payment => termsOf(payment).payer,
  rail: payment => termsOf(payment).rail,
  token: payment => findRail(termsOf(payment).rail)?.token ?? '',
  usd: payment => formatUnits(termsOf(payment).amount),
  state: stateOf,
  tx: ({ state }) => ('tx' in state ? state.tx : ''),
  block: ({ state }) => ('block' in state ? state.block : 0),
  payment: ({ id }) => id,
};

const termsOf = ({ state }: LoggedPayment) => state.accepted.data;

/** `void`: the service owes the payer this amount. `funded`: an escrow took it, and releases or returns it. */
function stateOf({ state }: LoggedPayment): 'settled' | 'funded' | 'void' | 'lost' {
  if (state.status === 'lost') return 'lost';
  if (state.accepted.data.escrow) return 'funded';
  return state.status === 'applied' && state.outcome === 'void' ? 'void' : 'settled';
}

/** All payments that settled in one month, as CSV. Folds the log, so it does not depend on the read models. */
export async function statement(settings: Settings, month: string): Promise<CommandReport> {
  if (!MONTH.test(month)) throw new UsageError('The month must be a year and a month in UTC: 2026-11.');
  requireStores(settings);
  const { payments } = await useStore(openEventLog(settings), log => readPaymentsOfLog(log, EVENT_TYPES));
  const settled = payments.filter(({ settledAt }) => settledAt !== null && monthOf(settledAt) === month);
  const rows = settled.map(payment => Object.values(COLUMNS).map(valueOf => valueOf(payment)));
  const names = Object.keys(COLUMNS);
  const lines = rows.map(row => Object.fromEntries(row.map((value, at) => [names[at], value])));
  const fees = settled.filter(({ state }) => paysService(state.accepted.data.endpoint) && state.status !== 'lost');
  const feesUsd = sumUnits(fees.map(termsOf));
  return done({ month, lines, fees_usd: feesUsd }, formatCsv(names, rows).trimEnd());
}

export const paysService = (endpoint: string) => SALES.get(endpoint)?.payee === 'service';
