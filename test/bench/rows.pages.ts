import type { Arena } from './arena.js';
import type { WireRequest } from './load.js';
import { figuresOf, runPaired, ratioOf } from './paired.js';
import type { Row } from './report.js';
import { rate, row } from './rows.requests.js';

const ROUNDS = 5;
const READS = 6_000;
/** Fewer reads for pages rendered on each request. */
const ANEW = READS / 6;
const FLOOR = 0.5;
const AIM = 0.9;

export async function pages(arena: Arena): Promise<Row[]> {
  const against = async (name: string, page: WireRequest[], json: WireRequest[]) => {
    const contestants = { page: rate(arena, 'service', () => page), json: rate(arena, 'service', () => json) };
    const rounds = await runPaired(ROUNDS, contestants);
    return row(name, ratioOf(rounds, 'page', 'json'), FLOOR, AIM, figuresOf(rounds, '/s'));
  };
  return [
    await against('first page, against the open roles', arena.reads.firstPages(READS), arena.reads.roleLists(READS)),
    await against('profile page', arena.reads.profilePages(READS), arena.reads.profiles(READS)),
    await against('feed page, against the feed of 20', arena.reads.feedPages(READS), arena.reads.feeds(READS)),
    await against(
      'profile page, rendered each time',
      arena.reads.profilePages(ANEW, '?anew'),
      arena.reads.profiles(ANEW, '?anew'),
    ),
  ];
}
