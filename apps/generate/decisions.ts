import type { AuditableDecision } from '#libs/endpoints/decision.js';
import { categoriesOf } from '#libs/features/streams.js';

/** Rows of the current version of each decision, for `docs/events.md`. */
export function decisionTable(decisions: Iterable<AuditableDecision>): string {
  const newest = new Map<string, AuditableDecision>();
  for (const decision of decisions)
    if (decision.version >= (newest.get(decision.name)?.version ?? 0)) newest.set(decision.name, decision);
  const rows = [...newest.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(rowOf);
  return ['| decision | made by | events | streams |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function rowOf(decision: AuditableDecision): string {
  const { name, version, writes } = decision;
  const streams = [...new Set(writes.flatMap(categoriesOf))].sort();
  const cells = [
    code(`${name}@${version}`),
    makerOf(decision),
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
