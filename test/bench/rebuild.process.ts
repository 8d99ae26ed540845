import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { Projector } from '#libs/documents/projector.js';
import { systemClock } from '#libs/kernel/clock.js';
import { openStores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { BareModels } from './bare.models.js';
import { decode } from './bare.store.js';
import { settingsOf } from './folder.js';

/** Rebuilds all documents and reports time and memory. Arguments: `service` or `bare`, a data folder. */
const BARE_BATCH = 10_000;
const LOOK_MS = 2;
const [who, dataDir] = process.argv.slice(2);
const start = performance.now();
await (who === 'bare' ? bare(dataDir!) : service(dataDir!));
const ms = performance.now() - start;
process.send!({ ms, rssMiB: process.resourceUsage().maxRSS / 1024 }, () => process.exit(0));

async function service(folder: string): Promise<void> {
  const stores = await openStores(settingsOf(folder));
  const { journal, documents: store } = stores;
  const log = { error: (details: object, message: string) => console.error(message, details) };
  const head = await stores.log.head();
  let moved = () => undefined as void;
  const projector = new Projector({
    journal,
    store,
    log,
    projections: PROJECTIONS,
    clock: systemClock,
    models: { moved: () => moved(), onWait: () => undefined, stop: name => console.error(`${name} stopped.`) },
  });
  const stats = await store.open(PROJECTIONS.at(-1)!);
  const done = new Promise<void>(resolve => {
    moved = () => void stats.checkpoint().then(reached => reached >= head && resolve());
  });
  await projector.start();
  await done;
  await new Promise(resolve => setTimeout(resolve, LOOK_MS));
}

async function bare(folder: string): Promise<void> {
  const log = new DatabaseSync(join(folder, 'events.db'), { returnArrays: true });
  const documents = new DatabaseSync(join(folder, 'bare.db'));
  documents.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384');
  const models = new BareModels(documents);
  const page = log.prepare(
    'SELECT position, stream, revision, id, type, body FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  for (let last = 0; ;) {
    const rows = page.all(last, BARE_BATCH) as Parameters<typeof decode>[0][];
    if (rows.length === 0) return;
    documents.exec('BEGIN');
    models.fold(rows.map(decode));
    documents.exec('COMMIT');
    last = rows.at(-1)![0];
  }
}
