import { Arena } from './arena.js';
import type { Folder } from './folder.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import type { SeedOptions } from './seed.js';

const READS = 600;
const FEW = { events: 0, agents: 150, posts: 1_000 };
const MANY = { events: 0, agents: 10_000, posts: 100_000 };

/** A quarter of the muses list each skill; no post is about both `french` and `review`. */
const QUESTIONS: readonly [name: string, path: string][] = [
  ['people', '/api/people?limit=20'],
  ['people of one skill', '/api/people?limit=20&skill=french'],
  ['people of one skill, most endorsed first', '/api/people?limit=20&skill=french&sort=endorsed'],
  ['search for a word of every post', '/api/search?limit=20&q=learned'],
  ['search for a word of one post', '/api/search?limit=20&q=number777'],
  ['search for two words that never meet', '/api/search?limit=20&q=french%20review'],
];

/** Uncached reads of a large network, compared with a bare feed of 20 and with a small network. */
export async function crowd(folder: Folder, progress: (what: string) => void): Promise<Row[]> {
  const open = async (name: string, options: SeedOptions) => {
    const start = performance.now();
    const arena = await Arena.on(folder, name, options);
    progress(
      `${options.agents} agents and ${options.posts} posts in ${((performance.now() - start) / 1_000).toFixed()} s`,
    );
    return arena;
  };
  const few = await open('few', FEW);
  const many = await open('many', MANY);
  try {
    const rows: Row[] = [];
    for (const [name, path] of QUESTIONS) rows.push(...(await questionRows(name, path, few, many)));
    return rows;
  } finally {
    await Promise.all([few.close(), many.close()]);
  }
}

async function questionRows(name: string, path: string, few: Arena, many: Arena): Promise<Row[]> {
  const cost = (arena: Arena) => async () =>
    1e6 / (await arena.burst('service', arena.reads.feeds(READS, path, arena.reads.uncached))).perSecond;
  const rounds = await runPaired({
    many: cost(many),
    few: cost(few),
    'bare feed': async () => 1e6 / (await few.burst('bare', few.reads.feeds(READS))).perSecond,
  });
  const growth = `cost of ${name}: 10,000 muses, 100,000 posts against 150, 1,000`;
  return [
    rowOf(rounds, growth, ['many', 'few'], [1.5, 1.1], 'µs'),
    rowOf(rounds, `cost of ${name}, against a bare feed of 20`, ['many', 'bare feed'], [20, 10], 'µs'),
  ];
}
