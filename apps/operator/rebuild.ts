import type { OnProgress } from '#libs/documents/filling/fill-progress.js';
import type { ParityReport } from '#libs/documents/rebuild/parity-check.js';
import { Rebuild, type RebuildReport, type RebuiltProjection } from '#libs/documents/rebuild/rebuild.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { Projection } from '#libs/kernel/projection.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { withStores } from './stores.js';

interface RebuildRequest {
  /** Names of projections; empty means all. */
  readonly projections: readonly string[];
  /** Compares the new documents with the live ones and changes nothing. */
  readonly dryRun: boolean;
  /** Discards an unfinished rebuild instead of resuming it. */
  readonly startOver?: boolean;
  readonly progress?: OnProgress;
  /** Events folded between two writes: the work lost if the process is killed. */
  readonly writeEvents?: number;
}

/**
 * Also works beside a running service. Throws for an unknown projection, and if another process rebuilds the same one.
 */
export async function rebuild(settings: Settings, request: RebuildRequest): Promise<RebuildReport> {
  const { projections: names, progress: onProgress, ...options } = request;
  const projections = findProjections(names);
  return withStores(settings, ({ journal, documents: store }) =>
    new Rebuild({ journal, store, clock: clockOf(settings), projections }, { ...options, onProgress }).run(),
  );
}

function findProjections(names: readonly string[]): readonly Projection[] {
  if (names.length === 0) return PROJECTIONS;
  const byName = new Map(PROJECTIONS.map(projection => [projection.name, projection]));
  return [...new Set(names)].map(name => {
    const projection = byName.get(name);
    if (!projection)
      throw new Error(`There is no projection ${name}. Projections are ${[...byName.keys()].join(', ')}.`);
    return projection;
  });
}

export const rebuildCommand = (
  settings: Settings,
  request: Pick<RebuildRequest, 'projections' | 'dryRun' | 'startOver'>,
): Promise<CommandReport> =>
  ProgressBars.during(async bars => {
    const show = bars.partBar('Rebuilding');
    const report = await rebuild(settings, { ...request, progress: ({ events, of }) => show(events, of) });
    // Differences are a problem only in a dry run: a rebuild removes them.
    const ok = report.projections.every(
      ({ failed, parity }) => failed === null && !(request.dryRun && differenceCount(parity) > 0),
    );
    return { ok, json: { ok, ...report }, text: rebuildText(report) };
  });

const RESUMED_NOTE = 'An interrupted rebuild was resumed. Use --start-over to discard it instead.';
const DRY_RUN_NOTE = 'This was a dry run. Nothing was changed.';

export function rebuildText({ events, seconds, held_ms, dry_run, projections }: RebuildReport): string {
  const rate = seconds > 0 ? Math.round(events / seconds) : events;
  const summary = `${events} events in ${seconds.toFixed(1)} s, ${rate} per second; document writes were paused for ${held_ms} ms.`;
  const resumedNote = projections.some(({ resumed_from }) => resumed_from !== null) ? [RESUMED_NOTE] : [];
  const note = dry_run ? [DRY_RUN_NOTE] : [];
  return [...projections.map(each => formatProjection(each, dry_run)), summary, ...resumedNote, ...note].join('\n');
}

const differenceCount = (parity: ParityReport | null): number =>
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
