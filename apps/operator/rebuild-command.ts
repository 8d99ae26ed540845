import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { rebuild, type RebuildRequest } from './rebuild.js';
import { differenceCount, rebuildText } from './rebuild-text.js';
import { requireStores } from './stores.js';
import type { CommandReport } from '#libs/terminal/command-report.js';

export async function rebuildCommand(
  settings: Settings,
  request: Pick<RebuildRequest, 'projections' | 'dryRun' | 'startOver'>,
): Promise<CommandReport> {
  requireStores(settings);
  const bars = new ProgressBars();
  const show = bars.partBar('Rebuilding');
  try {
    const report = await rebuild(settings, { ...request, progress: ({ events, of }) => show(events, of) });
    // Differences are a problem only in a dry run: a rebuild removes them.
    const ok = report.projections.every(
      ({ failed, parity }) => failed === null && !(request.dryRun && differenceCount(parity) > 0),
    );
    return { ok, json: { ok, ...report }, text: rebuildText(report) };
  } finally {
    bars.end();
  }
}
