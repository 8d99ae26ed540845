import type { ParityReport } from '#libs/documents/rebuild/parity-check.js';
import type { RebuiltProjection, RebuildReport } from '#libs/documents/rebuild/rebuild.js';

const RESUMED_NOTE =
  'What an earlier rebuild had not finished was gone on with; --start-over drops it and begins anew.';
const DRY_RUN_NOTE = 'Nothing was changed: it was a dry run.';

/** What became of a rebuild: a line for each projection and for each difference that is named, and how long it took. */
export function rebuildText({ events, seconds, held_ms, dry_run, projections }: RebuildReport): string {
  const rate = seconds > 0 ? Math.round(events / seconds) : events;
  const summary = `${events} events in ${seconds.toFixed(1)} s, ${rate} a second; reads went on, writes of documents stood still for ${held_ms} ms.`;
  const goneOn = projections.some(({ resumed_from }) => resumed_from !== null) ? [RESUMED_NOTE] : [];
  const note = dry_run ? [DRY_RUN_NOTE] : [];
  return [...projections.map(each => formatProjection(each, dry_run)), summary, ...goneOn, ...note].join('\n');
}

/** How many documents differ. */
export const differenceCount = (parity: ParityReport | null): number =>
  parity === null ? 0 : parity.only_in_live + parity.only_in_new + parity.different;

function formatProjection(
  { name, version, resumed_from, failed, switched, parity }: RebuiltProjection,
  isDry: boolean,
): string {
  const begun = `${name}@${version}: ${resumed_from === null ? '' : `gone on with from position ${resumed_from}; `}`;
  if (failed !== null) return `${begun}not rebuilt: ${failed}`;
  const left = isDry ? 'made anew beside the live one' : 'the live one was left';
  const is = switched ? 'the new build is the live one' : left;
  return `${begun}${is}; ${parity === null ? 'not compared' : formatDifferences(parity)}`;
}

function formatDifferences(parity: ParityReport): string {
  const { compared, only_in_live, only_in_new, different, differences } = parity;
  const count = differenceCount(parity);
  if (count === 0) return `${compared} documents are the same`;
  const named = differences.map(({ id, kind, fields }) => `${id}: ${kind} ${fields.join(', ')}`.trimEnd());
  const more = count > named.length ? [`and ${count - named.length} more`] : [];
  const counts = `${only_in_live} only in the old, ${only_in_new} only in the new, ${different} different`;
  return `of ${compared} documents ${counts}:${[...named, ...more].map(line => `\n    ${line}`).join('')}`;
}
