import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { Projector } from '#libs/documents/projector.js';
import { Share } from '#libs/documents/share.js';
import type { Position } from '#libs/kernel/event.js';
import { Outages } from '#libs/platform/outages/outages.js';
import { makeLog } from '#libs/setup/process/log.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { openStores } from '#libs/setup/stores.js';
import { PROJECTION_GROUPS, PROJECTIONS } from '#libs/features/projections.js';
import { ForwardedOutages } from './forwarded-outages.js';
import type { FromThread, ThreadData, ToThread } from './projections-beside.js';

/** The projections on a thread of their own, with connections of its own to the stores. It is told what to do by messages. */
const port = parentPort!;
const { settings, holder = randomUUID() } = workerData as ThreadData;
let setEnforced: (upTo: Position) => void = () => undefined;
const enforced = new Promise<Position>(resolve => (setEnforced = resolve));
let hurry: () => void = () => undefined;
port.on('message', (message: ToThread) => {
  if (message === 'hurry') hurry();
  else if (message === 'stop') void end();
  else setEnforced(message.enforcedUpTo);
});
const stores = await openStores(settings, enforced);
const say = (message: FromThread) => port.postMessage(message);
const log = makeLog(settings.logLevel);
Outages.use(log, new ForwardedOutages(say));

const clock = clockOf(settings);

const projector = new Projector({
  journal: stores.journal,
  store: stores.documents,
  clock,
  projections: PROJECTIONS,
  models: {
    moved: (position, isAnew = false) => say({ kind: 'moved', position, isAnew }),
    stop: (name, reason) => say({ kind: 'stopped', name, reason }),
    onWait: asked => (hurry = asked),
  },
  isHurried: true,
  log,
  holder,
  share: new Share({
    coordination: stores.coordination,
    clock,
    groups: PROJECTION_GROUPS,
    me: holder,
  }),
});

await projector.start(progress => say({ kind: 'filling', progress }));
say({ kind: 'filled' });

async function end(): Promise<void> {
  await projector.stop();
  await stores.close();
  port.close();
}
