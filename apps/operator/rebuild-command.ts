import type { ParityReport } from '#libs/documents/rebuild/parity.js';
import type { Rebuilt, RebuildReport } from '#libs/documents/rebuild/rebuild.js';
import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { rebuild } from './rebuild.js';
import { mustBeThere } from './stores.js';
import type { CommandReport } from './command-report.js';

/** Makes documents anew beside a running service, and says where they differed from the old ones. */
export async function rebuildCommand(
  settings: Settings,
  projections: readonly string[],
  dryRun: boolean,
): Promise<CommandReport> {
  mustBeThere(settings);
  const bars = new ProgressBars();
  const show = bars.of('Rebuilding');
  try {
    const report = await rebuild(settings, {
      projections,
      dryRun,
      progress: ({ events, of }) => show(events, of),
    });
    // A dry run that finds a difference reports a problem; a rebuild has put it right.
    const ok = report.projections.every(({ failed, parity }) => failed === null && !(dryRun && countOf(parity) > 0));
    return { ok, json: { ok, ...report }, text: textOf(report) };
  } finally {
    bars.end();
  }
}

function textOf({ events, seconds, held_ms, dry_run, projections }: RebuildReport): string {
  const rate = seconds > 0 ? Math.round(events / seconds) : events;
  const summary = `${events} events in ${seconds.toFixed(1)} s, ${rate} a second; reads went on, writes of documents stood still for ${held_ms} ms.`;
  const note = dry_run ? ['Nothing was changed: it was a dry run.'] : [];
  return [...projections.map(each => lineOf(each, dry_run)), summary, ...note].join('\n');
}

function lineOf({ name, version, failed, switched, parity }: Rebuilt, isDry: boolean): string {
  if (failed !== null) return `${name}@${version}: not rebuilt: ${failed}`;
  const left = isDry ? 'made anew beside the live one' : 'the live one was left';
  const is = switched ? 'the new build is the live one' : left;
  return `${name}@${version}: ${is}; ${parity === null ? 'not compared' : differencesOf(parity)}`;
}

const countOf = (parity: ParityReport | null) =>
  parity === null ? 0 : parity.only_in_live + parity.only_in_new + parity.different;

function differencesOf(parity: ParityReport): string {
  const { compared, only_in_live, only_in_new, different, differences } = parity;
  if (countOf(parity) === 0) return `${compared} documents are the same`;
  const named = differences.map(({ id, kind, fields }) => `\n    ${id}: ${kind} ${fields.join(', ')}`.trimEnd());
  const counts = `${only_in_live} only in the old, ${only_in_new} only in the new, ${different} different`;
  return `of ${compared} documents ${counts}:${named.join('')}`;
}
