import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { openWithoutKeys } from '#libs/event-log/upcast.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Event } from '#libs/kernel/event.js';
import { formatUnits, sumUnits } from '#libs/payments/reconciliation/sums.js';
import { openEventLog } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { formatTable } from '#libs/terminal/print.js';
import { type PaymentDocument, PaymentsView } from '#libs/features/payments/views/payments.js';
import { requireStores, useStore } from './stores.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** Payments in the text output, newest first to stay. `--json` has all. */
const SHOWN_MAX = 200;

const STATES = ['open', 'settled', 'void', 'refused', 'expired', 'lost'] as const;

/** `amount` is in the smallest unit of the rail's token, `at` in unix ms. */
export type ListedPayment = Omit<PaymentDocument, 'open' | 'opened'>;

/** Payments and their sum in USD, by state. */
export type Totals = { readonly [state in PaymentDocument['state']]: { readonly count: number; readonly usd: string } };

/** All payments, oldest first. Folds the log, so it does not depend on the read models. Nothing it needs is sealed. */
export async function listPayments(log: Pick<EventLog, 'readAll' | 'head'>): Promise<ListedPayment[]> {
  const documents = new Map<string, PaymentDocument>();
  for await (const stored of iterateEvents(log, { types: PaymentsView.types })) {
    const event = openWithoutKeys(stored, EVENT_TYPES);
    if (event) applyEvent(documents, event);
  }
  return [...documents.values()].map(({ open: _open, opened: _opened, ...payment }) => payment);
}

function applyEvent(documents: Map<string, PaymentDocument>, event: Event): void {
  for (const id of PaymentsView.keys(event)) {
    const document = PaymentsView.evolve(documents.get(id), event, id);
    if (document) documents.set(id, document);
  }
}

export function sumByState(payments: readonly ListedPayment[]): Totals {
  const entries = STATES.map(state => {
    const inState = payments.filter(payment => payment.state === state);
    return [state, { count: inState.length, usd: sumUnits(inState) }];
  });
  return Object.fromEntries(entries) as Totals;
}

export async function payments(settings: Settings): Promise<CommandReport> {
  requireStores(settings);
  const all = await useStore(openEventLog(settings), listPayments);
  const totals = sumByState(all);
  return done({ payments: all, totals }, formatPayments(all, totals));
}

function formatPayments(all: readonly ListedPayment[], totals: Totals): string {
  const latest = all.slice(-SHOWN_MAX);
  const rows = latest.map(({ at, state, endpoint, muse_id, rail, amount, tx, reason }) => {
    return [new Date(at).toISOString(), state, endpoint, muse_id, rail, formatUnits(amount), tx ?? '-', reason ?? ''];
  });
  const more = all.length > latest.length ? [`The ${latest.length} newest of ${all.length}; --json shows all.`] : [];
  const sums = STATES.map(state => `${totals[state].count} ${state} (${totals[state].usd} USD)`);
  const heading = ['at', 'state', 'for', 'muse', 'rail', 'usd', 'transaction', 'reason'];
  return [...(rows.length > 0 ? [formatTable([heading, ...rows])] : []), ...more, sums.join(', ')].join('\n');
}
