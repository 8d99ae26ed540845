import type { ParityReport } from '#libs/documents/rebuild/parity-check.js';
import type { RebuiltProjection, RebuildReport } from '#libs/documents/rebuild/rebuild.js';

const RESUMED_NOTE = 'An interrupted rebuild was resumed. Use --start-over to discard it instead.';
const DRY_RUN_NOTE = 'This was a dry run. Nothing was changed.';

export function rebuildText({ events, seconds, held_ms, dry_run, projections }: RebuildReport): string {
  const rate = seconds > 0 ? Math.round(events / seconds) : events;
  const summary = `${events} events in ${seconds.toFixed(1)} s, ${rate} per second; document writes were paused for ${held_ms} ms.`;
  const resumedNote = projections.some(({ resumed_from }) => resumed_from !== null) ? [RESUMED_NOTE] : [];
  const note = dry_run ? [DRY_RUN_NOTE] : [];
  return [...projections.map(each => formatProjection(each, dry_run)), summary, ...resumedNote, ...note].join('\n');
}

export const differenceCount = (parity: ParityReport | null): number =>
  parity === null ? 0 : parity.only_in_live + parity.only_in_new + parity.different;

function formatProjection(
  { name, version, resumed_from, failed, switched, parity }: RebuiltProjection,
  isDry: boolean,
): string {
  const prefix = `${name}@${version}: ${resumed_from === null ? '' : `resumed from position ${resumed_from}; `}`;
  if (failed !== null) return `${prefix}not rebuilt: ${failed}`;
  const unswitched = isDry ? 'rebuilt for comparison' : 'the live documents were kept';
  const result = switched ? 'the new documents are live' : unswitched;
  return `${prefix}${result}; ${parity === null ? 'not compared' : formatDifferences(parity)}`;
}

function formatDifferences(parity: ParityReport): string {
  const { compared, only_in_live, only_in_new, different, differences } = parity;
  const count = differenceCount(parity);
  if (count === 0) return `${compared} documents are identical`;
  const examples = differences.map(({ id, kind, fields }) => `${id}: ${kind} ${fields.join(', ')}`.trimEnd());
  const more = count > examples.length ? [`and ${count - examples.length} more`] : [];
  const counts = `${only_in_live} exist only in the old build, ${only_in_new} only in the new, and ${different} differ`;
  return `of ${compared} documents, ${counts}:${[...examples, ...more].map(line => `\n    ${line}`).join('')}`;
}
