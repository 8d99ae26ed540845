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

const HEADING = [
  'settled_at',
  'for',
  'paid_to',
  'agent',
  'payer',
  'rail',
  'token',
  'usd',
  'state',
  'tx',
  'block',
  'payment',
];

interface StatementLine {
  readonly settled_at: string;
  readonly for: string;
  /** `service` for fees. */
  readonly paid_to: 'service' | 'agent';
  readonly agent: string;
  readonly payer: string;
  readonly rail: string;
  readonly token: string;
  readonly usd: string;
  /** `void`: the service owes the payer this amount. `funded`: an escrow took it, and releases or returns it. */
  readonly state: 'settled' | 'funded' | 'void' | 'lost';
  readonly tx: string;
  readonly block: number;
  readonly payment: string;
}

/** All payments that settled in one month, as CSV. Folds the log, so it does not depend on the read models. */
export async function statement(settings: Settings, month: string): Promise<CommandReport> {
  if (!MONTH.test(month)) throw new UsageError('The month must be a year and a month in UTC: 2026-11.');
  requireStores(settings);
  const { payments } = await useStore(openEventLog(settings), log => readPaymentsOfLog(log, EVENT_TYPES));
  const settled = payments.filter(({ settledAt }) => settledAt !== null && monthOf(settledAt) === month);
  const lines = settled.map(toLine);
  const fees = settled.filter(({ state }) => paysService(state.accepted.data.endpoint) && state.status !== 'lost');
  const feesUsd = sumUnits(fees.map(({ state }) => state.accepted.data));
  const csv = formatCsv(
    HEADING,
    lines.map(line => Object.values(line) as (string | number)[]),
  );
  return done({ month, lines, fees_usd: feesUsd }, csv.trimEnd());
}

const paysService = (endpoint: string) => SALES.get(endpoint)?.payee === 'service';

function toLine({ id, state, settledAt }: LoggedPayment): StatementLine {
  const { endpoint, muse_id, payer, rail, amount } = state.accepted.data;
  const { tx = '', block = 0 } = state as { readonly tx?: string; readonly block?: number };
  return {
    settled_at: new Date(settledAt!).toISOString(),
    for: endpoint,
    paid_to: paysService(endpoint) ? 'service' : 'agent',
    agent: muse_id,
    payer,
    rail,
    token: findRail(rail)?.token ?? '',
    usd: formatUnits(amount),
    state: stateOf(state),
    tx,
    block,
    payment: id,
  };
}

function stateOf(state: LoggedPayment['state']): StatementLine['state'] {
  if (state.status === 'lost') return 'lost';
  if (state.accepted.data.escrow) return 'funded';
  return state.status === 'applied' && state.outcome === 'void' ? 'void' : 'settled';
}
