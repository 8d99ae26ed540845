import type { AuditableDecision } from '#libs/endpoints/decision.js';
import type { PaymentTermsTable } from '#libs/endpoints/paid-action.js';
import { categoriesOf, EVENT_TYPES } from '#libs/features/streams.js';
import { STREAMS } from '#libs/features/streams.generated.js';
import { formatUsdAmount } from '#libs/kernel/money.js';

/** Rows of the current version of each decision, for `docs/events.md`. */
export function decisionTable(decisions: Iterable<AuditableDecision>): string {
  const newest = new Map<string, AuditableDecision>();
  for (const decision of decisions)
    if (decision.version >= (newest.get(decision.name)?.version ?? 0)) newest.set(decision.name, decision);
  const rows = [...newest.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(rowOf);
  return ['| decision | made by | cause | events | streams |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function rowOf(decision: AuditableDecision): string {
  const { name, version, causes, writes } = decision;
  const streams = [...new Set(writes.flatMap(categoriesOf))].sort();
  const cells = [
    code(`${name}@${version}`),
    makerOf(decision),
    causes.map(code).join(', '),
    writes.map(code).join(', '),
    streams.map(code).join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function makerOf({ request, by }: AuditableDecision): string {
  if (request) return `a request for ${code(request.endpoint)}`;
  return by ? `the ${by}` : 'a request, or another event whose authorization it has';
}

const code = (text: string) => `\`${text}\``;

/** One row for each kind of stream, with the types of its events. */
export function streamTable(): string {
  const rows = STREAMS.map(({ category, events }) => {
    const types = events.map(({ type, privateType }) => code(type) + (privateType ? ' (private)' : ''));
    return `| ${code(category)} | ${types.join(', ')} |`;
  });
  return ['| stream | events |', '| --- | --- |', ...rows.sort()].join('\n');
}

/** One row for each purchase. */
export function purchaseTable(sales: PaymentTermsTable): string {
  const rows = [...sales].sort().map(([endpoint, { payee, priceOf, effects, voidReasons }]) => {
    const price = priceOf(null);
    const cells = [
      code(endpoint),
      typeof payee === 'object' ? `the agent in ${code(payee.field)}` : `the ${payee}`,
      price === null ? 'see [prices](paying.md#prices)' : `${formatUsdAmount(price)} USD`,
      effects.map(code).join(', '),
      voidReasons.map(code).join(', ') || 'never void',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| endpoint | payee | price | events that name the payment | reasons of `void` |';
  return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** One row for each meaning of a member of public events. */
export function memberTable(): string {
  const types = new Map<string, string[]>();
  for (const { type, meanings, seals, privateType } of EVENT_TYPES.values())
    for (const [name, meaning] of privateType ? [] : Object.entries(meanings)) {
      const exposure = (['personal', 'private', 'held'] as const).find(each => seals[each].includes(name));
      const row = `${code(name)} | ${meaning}${exposure ? ` (${exposure})` : ''}`;
      types.set(row, [...(types.get(row) ?? []), code(type)]);
    }
  const rows = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([row, of]) => `| ${row} | ${of.join(', ')} |`);
  return ['| member | meaning | events |', '| --- | --- | --- |', ...rows].join('\n');
}
