import type { Arena } from './arena.js';
import type { WireRequest } from './load.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import { rate } from './rows.requests.js';

const READS = 6_000;
/** Fewer reads for pages rendered on each request. */
const ANEW = READS / 6;
const GOALS = [0.5, 0.9] as const;

export async function pages(arena: Arena): Promise<Row[]> {
  const against = async (name: string, page: WireRequest[], json: WireRequest[]) => {
    const contestants = { page: rate(arena, 'service', () => page), json: rate(arena, 'service', () => json) };
    return rowOf(await runPaired(contestants), name, ['page', 'json'], GOALS);
  };
  return [
    await against('first page, against the open roles', arena.reads.firstPages(READS), arena.reads.roleLists(READS)),
    await against('profile page', arena.reads.profilePages(READS), arena.reads.profiles(READS)),
    await against('feed page, against the feed of 20', arena.reads.feedPages(READS), arena.reads.feeds(READS)),
    await against(
      'profile page, rendered each time',
      arena.reads.profilePages(ANEW, arena.reads.uncached),
      arena.reads.profiles(ANEW, arena.reads.uncached),
    ),
  ];
}
