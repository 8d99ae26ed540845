import { writeExport } from '#libs/audit/export.js';
import { openSource } from '#apps/auditor/source.js';
import { systemClock } from '#libs/kernel/clock.js';
import { openStores } from '#libs/setup/stores.js';
import { messageOf, run } from './child.js';
import { type Folder, settingsOf } from './folder.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import { seed } from './seed.js';

const EVENTS = 20_000;

/** Compares the auditor's signature checks, and the whole of `auditor verify`, with node:crypto on one core. */
export async function audit(folder: Folder): Promise<Row[]> {
  const settings = settingsOf(folder.of('audited'));
  const stores = await openStores(settings);
  await seed(stores, settings, systemClock, { events: EVENTS });
  await stores.close();
  const file = folder.of('audited.ndjson');
  const source = await openSource(undefined, settings);
  await writeExport(source, file);
  await source.close?.();
  const perSecond = (what: string) => async () => {
    const child = run('audit.process.js', what, file, settings.messageTag);
    const { ms, signatures } = await messageOf<{ ms: number; signatures: number }>(child);
    return signatures / (ms / 1_000);
  };
  const rounds = await runPaired({
    auditor: perSecond('signatures'),
    'whole verify': perSecond('whole'),
    'node:crypto': perSecond('bare'),
  });
  const name = "auditor's verification, against node:crypto";
  return [rowOf(rounds, name, ['auditor', 'node:crypto'], [0.8, 1.3], `signatures/s of ${EVENTS} events`)];
}
