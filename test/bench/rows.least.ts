import type { Arena, Server } from './arena.js';
import type { WireRequest } from './load.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import type { By } from './requests.writes.js';
import { p50, rate } from './rows.requests.js';

const WRITES = 1_000;
const SINGLES = 300;
const WARM_UPS = 2;

type Requests = (arena: Arena, server: Server, by: By) => WireRequest[] | Promise<WireRequest[]>;

const WRITTEN: { readonly [endpoint: string]: Requests } = {
  job: (arena, server, by) => arena.writes.jobs(server, WRITES, by),
  post: (arena, server, by) => arena.writes.posts(server, WRITES, by),
  'profile update': (arena, server, by) => arena.writes.profileUpdates(server, WRITES, by),
};
/** Signed only: there are too few token holders for this many requests. */
const SIGNED: { readonly [endpoint: string]: Requests } = {
  apply: (arena, server) => arena.writes.applications(server, WRITES, 'signature'),
  react: (arena, server) => arena.writes.reactions(server, WRITES),
};

export async function least(arena: Arena): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [endpoint, requests] of Object.entries({ ...WRITTEN, ...SIGNED })) {
    const rateOf = (by: By) => (server: Server) => rate(arena, server, () => requests(arena, server, by));
    const signed = rateOf('signature');
    const rounds = await runPaired(
      { service: signed('service'), least: signed('least'), models: signed('leastModels') },
      WARM_UPS,
    );
    rows.push(
      rowOf(rounds, `${endpoint}, signed, against the least`, ['service', 'least'], [0.5, 0.75]),
      rowOf(rounds, `${endpoint}, signed, against the least + models`, ['service', 'models'], [0.75, 1]),
    );
    if (endpoint in SIGNED) continue;
    const held = rateOf('token');
    const byToken = await runPaired({ service: held('service'), models: held('leastModels') }, WARM_UPS);
    rows.push(rowOf(byToken, `${endpoint}, by token, against the least + models`, ['service', 'models'], [0.75, 1]));
  }
  return [...rows, ...(await oneAtATime(arena))];
}

/** Posts free jobs one after the other, of callers that keep positions and plain ones. */
async function oneAtATime(arena: Arena): Promise<Row[]> {
  const singles = (server: Server, isPlain = false) =>
    p50(arena, server, () => arena.writes.jobs(server, SINGLES, 'signature', isPlain));
  const rounds = await runPaired({
    'with min-position': singles('service'),
    without: singles('service', true),
    bare: singles('bare'),
    least: singles('least'),
  });
  const rows = (how: 'with min-position' | 'without', floor: number, aim: number) =>
    (['bare', 'least'] as const).map(baseline =>
      rowOf(rounds, `one signed job at a time, ${how}, p50, against ${baseline}`, [how, baseline], [floor, aim], 'ms'),
    );
  return [...rows('with min-position', 2.5, 1.5), ...rows('without', 6.8, 2.5)];
}
