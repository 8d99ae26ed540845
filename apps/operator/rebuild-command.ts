import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { rebuild, type RebuildRequest } from './rebuild.js';
import { differenceCount, rebuildText } from './rebuild-text.js';
import { requireStores } from './stores.js';
import type { CommandReport } from './command-report.js';

/** Makes documents anew beside a running service, and says where they differed from the old ones. */
export async function rebuildCommand(
  settings: Settings,
  asked: Pick<RebuildRequest, 'projections' | 'dryRun' | 'startOver'>,
): Promise<CommandReport> {
  requireStores(settings);
  const { projections, dryRun, startOver } = asked;
  const bars = new ProgressBars();
  const show = bars.partBar('Rebuilding');
  try {
    const report = await rebuild(settings, {
      projections,
      dryRun,
      startOver,
      progress: ({ events, of }) => show(events, of),
    });
    // A dry run that finds a difference reports a problem; a rebuild has put it right.
    const ok = report.projections.every(
      ({ failed, parity }) => failed === null && !(dryRun && differenceCount(parity) > 0),
    );
    return { ok, json: { ok, ...report }, text: rebuildText(report) };
  } finally {
    bars.end();
  }
}
