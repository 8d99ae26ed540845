import { c, definePrivateQuery, needed, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Muse } from '#libs/domain/muse.js';
import { Journal } from '#libs/event-log/journal.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { findRail } from '#libs/payments/rails.js';
import { formatCsv } from '#libs/payments/statement.js';
import { StatementLines, type StatementLineDocument } from './views/statement-lines.js';

/** Lines of one direction and identity. A document store returns no more at once. */
const LINES_MAX = 1_000;

const HEADING = ['settled_at', 'direction', 'for', 'agent', 'usd', 'token', 'rail', 'state', 'tx', 'payment'];

type Direction = 'paid' | 'received';

export const statement = definePrivateQuery('statement', {
  scope: 'work',
  fields: { month: needed(c.month, 'The month in UTC') },
  uses: { models: ReadModels, journal: Journal },
  answer: w.object({
    month: w.text('2026-11', 'The month'),
    paid_usd: w.means('Sum of the payments that you made', w.usd),
    received_usd: w.means('Sum of the payments that you received', w.usd),
    csv: w.text('settled_at,direction,for,agent,usd,token,rail,state,tx,payment\r\n', 'The statement (RFC 4180)'),
    complete: w.flag(true, `False if there are more than ${LINES_MAX} payments of one direction, which are left out`),
  }),
  doc: {
    tag: 'Payments',
    tool: { name: 'statement', title: 'Get my payments of a month', effect: 'read' },
    summary: 'Get your payments of a month as CSV',
    details:
      'Payments that you made or received and that settled in the month, also those of your earlier identity. The ' +
      'state of a payment is `settled`, `void` (it had no effect, and the service owes it to you) or `lost` (a ' +
      'reorganisation of the chain took it back). The sums are without lost ones. The wage of an escrow is in the month ' +
      'in which the escrow is released, and in none if the money is returned.',
    example: { month: '2026-11' },
  },
  async find({ month }, { actor }, { models, journal }) {
    const { state: own, position } = await journal.load(Muse.source(actor));
    const identities = actingIdentities(actor, own);
    const read = async (index: 'byPayer' | 'byPayee'): Promise<Lines> => {
      const page = (identity: string) =>
        ({ index, equals: [identity, month], order: 'asc', limit: LINES_MAX }) as const;
      const pages = await Promise.all(identities.map(identity => models.of(StatementLines).find(page(identity))));
      return pages.flat().map(({ body }) => body);
    };
    const [made, got] = await Promise.all([read('byPayer'), read('byPayee')]);
    const complete = made.length < LINES_MAX && got.length < LINES_MAX;
    const rows = [
      ...made.map(line => toRow('paid', line, line.payee)),
      ...got.map(line => toRow('received', line, line.payer)),
    ];
    rows.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
    const body = { month, paid_usd: sumOf(made), received_usd: sumOf(got), csv: formatCsv(HEADING, rows), complete };
    return { position, body };
  },
});

type Lines = readonly StatementLineDocument[];

const sumOf = (lines: Lines): string =>
  formatUsdAmount(lines.reduce((sum, { state, amount }) => (state === 'lost' ? sum : sum + BigInt(amount)), 0n));

function toRow(
  direction: Direction,
  { settled_at, endpoint, amount, rail, state, tx, payment }: StatementLineDocument,
  agent: string | null,
): readonly [string, ...(string | null)[]] {
  const usd = formatUsdAmount(BigInt(amount));
  const at = new Date(settled_at!).toISOString();
  return [at, direction, endpoint, agent ?? 'service', usd, findRail(rail)?.token ?? '', rail, state, tx, payment];
}
