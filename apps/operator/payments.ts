import { everyEvent } from '#libs/event-log/every-event.js';
import { withoutSealed } from '#libs/event-log/upcast.js';
import type { EventLog } from '#libs/event-log/port.js';
import type { Event } from '#libs/kernel/event.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { openEventLog } from '#libs/setup/chosen-stores.js';
import type { Settings } from '#libs/setup/settings.js';
import { table } from '#libs/terminal/table.js';
import { type PaymentDocument, PaymentsView } from '#libs/features/payments/views/payments.js';
import { mustBeThere } from './stores.js';
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
export async function paymentsIn(log: Pick<EventLog, 'readAll' | 'head'>): Promise<ListedPayment[]> {
  const documents = new Map<string, PaymentDocument>();
  for await (const stored of everyEvent(log, { types: PaymentsView.types })) {
    const event = withoutSealed(stored, EVENT_TYPES);
    if (event) fold(documents, event);
  }
  return [...documents.values()].map(({ open: _open, opened: _opened, ...payment }) => payment);
}

function fold(documents: Map<string, PaymentDocument>, event: Event): void {
  for (const id of PaymentsView.keys(event)) {
    const document = PaymentsView.evolve(documents.get(id), event, id);
    if (document) documents.set(id, document);
  }
}

export function totalsOf(payments: readonly ListedPayment[]): Totals {
  const entries = STATES.map(state => {
    const some = payments.filter(payment => payment.state === state);
    const units = some.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    return [state, { count: some.length, usd: usdOfUnits(units) }];
  });
  return Object.fromEntries(entries) as Totals;
}

/** The payments of the configured log, beside a running service. */
export async function readPayments(settings: Settings): Promise<ListedPayment[]> {
  const log = await openEventLog(settings);
  try {
    return await paymentsIn(log);
  } finally {
    await log.close();
  }
}

export async function payments(settings: Settings): Promise<CommandReport> {
  mustBeThere(settings);
  const all = await readPayments(settings);
  const totals = totalsOf(all);
  return { ok: true, json: { ok: true, payments: all, totals }, text: textOf(all, totals) };
}

function textOf(all: readonly ListedPayment[], totals: Totals): string {
  const shown = all.slice(-SHOWN_MAX);
  const rows = shown.map(({ at, state, endpoint, muse_id, rail, amount, tx, reason }) => {
    const usd = usdOfUnits(BigInt(amount));
    return [new Date(at).toISOString(), state, endpoint, muse_id, rail, usd, tx ?? '-', reason ?? ''];
  });
  const more = all.length > shown.length ? [`The ${shown.length} newest of ${all.length}; --json tells all.`] : [];
  const sums = STATES.map(state => `${totals[state].count} ${state} (${totals[state].usd} USD)`);
  const heading = ['at', 'state', 'for', 'muse', 'rail', 'usd', 'transaction', 'reason'];
  return [...(rows.length > 0 ? [table([heading, ...rows])] : []), ...more, sums.join(', ')].join('\n');
}
