import { SECOND_MS, systemClock } from '#libs/kernel/clock.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { MIXED_EVENTS, mixedEvents } from '../vectors/mixed-log.js';
import { type Arena, waitUntilCaughtUp, type Server } from './arena.js';
import { messageOf, run } from './child.js';
import { type Folder, settingsOf } from './folder.js';
import type { WireRequest } from './load.js';
import { figuresOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import { seed } from './seed.js';
import { median } from './statistics.js';

const REBUILDS = 3;
const MIXED_ROUNDS = 34;
const WRITES = 600;
/** Cheaper requests run more often, so that each turn takes some tenths of a second. */
const READS = 4_000;
const FEEDS = 800;
const INBOXES = 2_000;
const NEWS = 800;

interface RebuildResult {
  readonly ms: number;
  readonly rssMiB: number;
}

/** Runs each rebuild in turn. A rebuild is a program and the folder that it reads. */
async function runRebuilds(folder: Folder, ...rebuilds: readonly (readonly [program: string, seeded: string])[]) {
  const all: RebuildResult[][] = rebuilds.map(() => []);
  for (let round = 0; round < REBUILDS; round += 1)
    for (const [at, [program, seeded]] of rebuilds.entries()) {
      const dataDir = folder.copy(seeded, `rebuild-${at}-${seeded}-${round}`);
      for (const file of ['documents.db', 'documents.db-wal', 'documents.db-shm']) folder.drop(dataDir, file);
      all[at]!.push(await messageOf<RebuildResult>(run('rebuild.process.js', program, dataDir)));
    }
  return all;
}

/** Compares a log of every type of event with one of jobs, both of about the same length. */
export async function mixed(folder: Folder): Promise<Row[]> {
  const fillMixed = async ({ log, codec }: Stores) => {
    for (let round = 0; round < MIXED_ROUNDS; round += 1)
      for (const event of mixedEvents(round)) await log.append(event.stream, 'any', [await codec.seal(event)]);
  };
  const counts: number[] = [];
  for (const name of ['mixed', 'jobs']) {
    const settings = settingsOf(folder.of(name));
    const stores = await openStores(settings);
    if (name === 'mixed') await fillMixed(stores);
    else await seed(stores, settings, systemClock, { events: MIXED_ROUNDS * MIXED_EVENTS });
    counts.push(Number(await stores.log.head()));
    await stores.close();
  }
  const results = await runRebuilds(folder, ['service', 'mixed'], ['service', 'jobs']);
  const [rate, rateOfJobs] = results.map((all, at) => counts[at]! / (median(all.map(({ ms }) => ms)) / SECOND_MS)) as [
    number,
    number,
  ];
  const figures = `${rate.toFixed()}, jobs ${rateOfJobs.toFixed()} events/s of ${counts.join(' and ')}`;
  const name = 'rebuild of a mixed log, against one of jobs';
  return [{ name, ratio: rate / rateOfJobs, floor: 0.8, aim: 1, better: 'more', figures }];
}

export async function rebuild(folder: Folder, seeded: string, events: number): Promise<Row[]> {
  const [service, bare] = await runRebuilds(folder, ['service', seeded], ['bare', seeded]);
  const all: { readonly [who: string]: RebuildResult[] } = { service: service!, bare: bare! };
  const of = (who: string, value: (rebuilt: RebuildResult) => number) => median(all[who]!.map(value));
  const rate = (who: string) => events / (of(who, ({ ms }) => ms) / SECOND_MS);
  const memory = (who: string) => of(who, ({ rssMiB }) => rssMiB);
  const rates = `service ${rate('service').toFixed()}, bare ${rate('bare').toFixed()} events/s of ${events}`;
  const memories = `service ${memory('service').toFixed()}, bare ${memory('bare').toFixed()} MiB`;
  return [
    {
      name: 'rebuild of everything, against the bare fold',
      ratio: rate('service') / rate('bare'),
      floor: 0.5,
      aim: 1,
      better: 'more',
      figures: rates,
    },
    {
      name: 'memory of a rebuild, against the bare fold',
      ratio: memory('service') / memory('bare'),
      floor: 3,
      aim: 2,
      better: 'less',
      figures: memories,
    },
  ];
}

type Requests = (arena: Arena, server: Server) => WireRequest[] | Promise<WireRequest[]>;

/** Requests whose cost may grow with the log. */
const GROWING: { readonly [what: string]: Requests } = {
  'a write': (arena, server) => arena.writes.applications(server, WRITES, 'signature'),
  'a read': arena => arena.reads.profiles(READS),
  'a feed of 20': arena => arena.reads.feedsAnew(FEEDS),
  'an inbox without news': arena => arena.writes.inboxesWithoutNews(INBOXES),
  'an inbox with news': async (arena, server) => {
    if (server === 'service') await arena.news(NEWS);
    return arena.writes.inboxesWithNews(NEWS);
  },
};

/** Cost on a long log relative to a short log, compared with the same ratio of the baseline. */
export async function growth(short: Arena, long: Arena): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, requests] of Object.entries(GROWING))
    rows.push(await growthRow(`cost of ${what} from 1,000 to 100,000 events`, short, long, requests));
  return rows;
}

async function growthRow(name: string, short: Arena, long: Arena, requests: Requests): Promise<Row> {
  // Waits for both services, so that no turn pays for the backlog of another.
  const settled = (arena: Arena, server: Server) => async () => {
    for (const each of [short, long]) await waitUntilCaughtUp(each.port('service'));
    return 1e6 / (await arena.burst(server, await requests(arena, server))).perSecond;
  };
  const rounds = await runPaired({
    // Each bare server follows each service equally often, so that leftover work affects both alike.
    'service short': settled(short, 'service'),
    'bare short': settled(short, 'models'),
    'service long': settled(long, 'service'),
    'bare long': settled(long, 'models'),
  });
  const growth = (who: 'service' | 'bare') =>
    median(rounds[`${who} long`].values) / median(rounds[`${who} short`].values);
  const ratio = growth('service') / growth('bare');
  return { name, ratio, floor: 1.3, aim: 1.1, better: 'less', figures: figuresOf(rounds, 'µs') };
}
