import { type Arena, waitUntilCaughtUp, type Server } from './arena.js';
import { messageOf, run } from './child.js';
import type { Folder } from './folder.js';
import type { WireRequest } from './load.js';
import { figuresOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import { median } from './statistics.js';

const REBUILDS = 3;
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

export async function rebuild(folder: Folder, seeded: string, events: number): Promise<Row[]> {
  const all: { [who: string]: RebuildResult[] } = { service: [], bare: [] };
  for (let round = 0; round < REBUILDS; round += 1) {
    for (const who of ['service', 'bare']) {
      const dataDir = folder.copy(seeded, `rebuild-${who}-${round}`);
      for (const file of ['documents.db', 'documents.db-wal', 'documents.db-shm']) folder.drop(dataDir, file);
      all[who]!.push(await messageOf<RebuildResult>(run('rebuild.process.js', who, dataDir)));
    }
  }
  const of = (who: string, value: (rebuilt: RebuildResult) => number) => median(all[who]!.map(value));
  const rate = (who: string) => events / (of(who, ({ ms }) => ms) / 1_000);
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
