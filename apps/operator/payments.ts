import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { openWithoutKeys } from '#libs/event-log/upcast.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Event } from '#libs/kernel/event.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { openEventLog } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { formatTable } from '#libs/terminal/table.js';
import { type PaymentDocument, PaymentsView } from '#libs/features/payments/views/payments.js';
import { requireStores } from './stores.js';
import type { CommandReport } from './command-report.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** How many payments a person is shown, the newest ones; `--json` tells all. */
const SHOWN_MAX = 200;

const STATES = ['open', 'settled', 'void', 'refused', 'expired', 'lost'] as const;

/** One payment as the operator sees it; `amount` in smallest units of the rail's token, `at` in unix ms. */
export type ListedPayment = Omit<PaymentDocument, 'open' | 'opened'>;

/** How many payments are in a state, and their sum in USD. */
export type Totals = { readonly [state in PaymentDocument['state']]: { readonly count: number; readonly usd: string } };

/**
 * Every payment of a log, the oldest first: folded from its events as the read model is, so that it is right also while
 * the read models are not. Nothing of it is sealed, so no key is needed.
 */
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
    const some = payments.filter(payment => payment.state === state);
    const units = some.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    return [state, { count: some.length, usd: formatUsdAmount(units) }];
  });
  return Object.fromEntries(entries) as Totals;
}

/** The payments of the configured log, beside a running service. */
export async function readPayments(settings: Settings): Promise<ListedPayment[]> {
  const log = await openEventLog(settings);
  try {
    return await listPayments(log);
  } finally {
    await log.close();
  }
}

export async function payments(settings: Settings): Promise<CommandReport> {
  requireStores(settings);
  const all = await readPayments(settings);
  const totals = sumByState(all);
  return { ok: true, json: { ok: true, payments: all, totals }, text: formatPayments(all, totals) };
}

function formatPayments(all: readonly ListedPayment[], totals: Totals): string {
  const shown = all.slice(-SHOWN_MAX);
  const rows = shown.map(({ at, state, endpoint, muse_id, rail, amount, tx, reason }) => {
    const usd = formatUsdAmount(BigInt(amount));
    return [new Date(at).toISOString(), state, endpoint, muse_id, rail, usd, tx ?? '-', reason ?? ''];
  });
  const more = all.length > shown.length ? [`The ${shown.length} newest of ${all.length}; --json tells all.`] : [];
  const sums = STATES.map(state => `${totals[state].count} ${state} (${totals[state].usd} USD)`);
  const heading = ['at', 'state', 'for', 'muse', 'rail', 'usd', 'transaction', 'reason'];
  return [...(rows.length > 0 ? [formatTable([heading, ...rows])] : []), ...more, sums.join(', ')].join('\n');
}
