import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { rebuild, type RebuildAsked } from './rebuild.js';
import { countOf, rebuildText } from './rebuild-text.js';
import { mustBeThere } from './stores.js';
import type { CommandReport } from './command-report.js';

/** Makes documents anew beside a running service, and says where they differed from the old ones. */
export async function rebuildCommand(
  settings: Settings,
  asked: Pick<RebuildAsked, 'projections' | 'dryRun' | 'startOver'>,
): Promise<CommandReport> {
  mustBeThere(settings);
  const { projections, dryRun, startOver } = asked;
  const bars = new ProgressBars();
  const show = bars.of('Rebuilding');
  try {
    const report = await rebuild(settings, {
      projections,
      dryRun,
      startOver,
      progress: ({ events, of }) => show(events, of),
    });
    // A dry run that finds a difference reports a problem; a rebuild has put it right.
    const ok = report.projections.every(({ failed, parity }) => failed === null && !(dryRun && countOf(parity) > 0));
    return { ok, json: { ok, ...report }, text: rebuildText(report) };
  } finally {
    bars.end();
  }
}
