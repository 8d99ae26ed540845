import { parentPort, workerData } from 'node:worker_threads';
import { Projector } from '#libs/documents/projector.js';
import type { Position } from '#libs/kernel/event.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { createLogger } from '#libs/setup/process/logger.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { openStores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { ForwardedOutages } from './forwarded-outages.js';
import { followHistory } from './log-history.js';
import type { ThreadMessage, ThreadData, ThreadCommand } from './projection-thread-host.js';

/** The projections thread, with its own connections to the stores. Messages control it. */
const port = parentPort!;
const { settings, holder } = workerData as ThreadData;
let setEnforced: (upTo: Position) => void = () => undefined;
const enforced = new Promise<Position>(resolve => (setEnforced = resolve));
let hurry: () => void = () => undefined;
port.on('message', (message: ThreadCommand) => {
  if (message === 'hurry') hurry();
  else if (message === 'stop') void stop();
  else setEnforced(message.enforcedUpTo);
});
const send = (message: ThreadMessage) => port.postMessage(message);
Sqlite.onDamage = (file, details) => send({ kind: 'damaged', file, details });
const log = createLogger(settings.logLevel);
const clock = clockOf(settings);
const stores = await openStores(settings, {
  enforcedElsewhere: enforced,
  prepare: opened => followHistory(opened, clock, log),
});
OutageTracker.use(log, new ForwardedOutages(send));

const projector = new Projector({
  journal: stores.journal,
  store: stores.documents,
  clock,
  projections: PROJECTIONS,
  models: {
    moved: (position, isAnew = false) => send({ kind: 'moved', position, isAnew }),
    stop: (name, reason) => send({ kind: 'stopped', name, reason }),
    onWait: callback => (hurry = callback),
  },
  isHurried: true,
  log,
  ...(holder !== undefined && { holder }),
});

await projector.start(progress => send({ kind: 'filling', progress }));
send({ kind: 'filled' });

async function stop(): Promise<void> {
  await projector.stop();
  await stores.close();
  port.close();
}
