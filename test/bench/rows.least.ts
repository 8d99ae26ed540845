import type { Arena, Server } from './arena.js';
import type { WireRequest } from './load.js';
import { figuresOf, runPaired, ratioOf } from './paired.js';
import type { Row } from './report.js';
import { rate, row } from './rows.requests.js';
import { quantile } from './statistics.js';

const ROUNDS = 5;
const WRITES = 1_000;
const SINGLES = 300;
const WARM_UPS = 2;

type By = 'signature' | 'token';
type Requests = (arena: Arena, server: Server, by: By) => WireRequest[] | Promise<WireRequest[]>;

const WRITTEN: { readonly [endpoint: string]: Requests } = {
  job: (arena, server, by) => arena.writes.jobs(server, WRITES, by),
  post: (arena, server, by) => arena.writes.posts(server, WRITES, by),
  'profile update': (arena, server, by) => arena.writes.profileUpdates(server, WRITES, by),
};
/** Signed only: there are too few token holders for this many requests. */
const SIGNED: { readonly [endpoint: string]: Requests } = {
  apply: (arena, server) => arena.writes.signedWrites(server, WRITES),
  react: (arena, server) => arena.writes.reactions(server, WRITES),
};

export async function least(arena: Arena): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [endpoint, requests] of Object.entries({ ...WRITTEN, ...SIGNED })) {
    const asked = (by: By) => (server: Server) => async () => {
      const wires = await requests(arena, server, by);
      return rate(arena, server, () => wires)();
    };
    const signed = asked('signature');
    const rounds = await runPaired(
      ROUNDS,
      { service: signed('service'), least: signed('least'), models: signed('leastModels') },
      WARM_UPS,
    );
    const figures = figuresOf(rounds, '/s');
    rows.push(
      row(`${endpoint}, signed, against the least`, ratioOf(rounds, 'service', 'least'), 0.5, 0.75, figures),
      row(`${endpoint}, signed, against the least + models`, ratioOf(rounds, 'service', 'models'), 0.75, 1, figures),
    );
    if (endpoint in SIGNED) continue;
    const held = asked('token');
    const byToken = await runPaired(ROUNDS, { service: held('service'), models: held('leastModels') }, WARM_UPS);
    const name = `${endpoint}, by token, against the least + models`;
    rows.push(row(name, ratioOf(byToken, 'service', 'models'), 0.75, 1, figuresOf(byToken, '/s')));
  }
  return [...rows, ...(await oneAtATime(arena))];
}

/** Posts free jobs one after the other, with responses once durable and once visible in documents. */
async function oneAtATime(arena: Arena): Promise<Row[]> {
  const p50 = (server: Server, isShown: boolean) => async () => {
    const jobs = arena.writes.jobs(server, SINGLES, 'signature', isShown);
    return quantile((await arena.burst(server, jobs, 1)).latenciesMs, 0.5);
  };
  const rounds = await runPaired(ROUNDS, {
    durable: p50('service', false),
    shown: p50('service', true),
    least: p50('least', false),
  });
  const figures = figuresOf(rounds, 'ms', 2);
  const single = (name: string, ratio: number, floor: number, aim: number): Row => ({
    name: `one signed job at a time, ${name}, p50, against the least`,
    ratio,
    floor,
    aim,
    better: 'less',
    figures,
  });
  return [
    single('with min-position', ratioOf(rounds, 'durable', 'least'), 2.5, 1.5),
    single('without', ratioOf(rounds, 'shown', 'least'), 6.8, 2.5),
  ];
}
