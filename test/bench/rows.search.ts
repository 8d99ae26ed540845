import { statSync } from 'node:fs';
import { fold } from '#libs/documents/fold.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { searchRoles } from '#libs/features/finding/search-lists.js';
import { parseQueryWords } from '#libs/features/finding/word-search.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { type Event, LOG_START, POSITION_WIDTH } from '#libs/kernel/event.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { MemoryLog } from '../doubles/memory-log.js';
import { toEvents } from '../repeated-events.js';
import type { Folder } from './folder.js';
import type { Row } from './report.js';
import { median } from './statistics.js';

const JOBS = 100_000;
const BATCH = 1_000;
const WORDS = 29;
const VOCABULARY = 20_000;
const SEARCHES = 15;
const LIMIT = 20;
/** Fewer pages than those after which SQLite empties the write-ahead log. */
const MEASURED_JOBS = 20;
const PAGE_BYTES = 2_048;
const FRAME_BYTES = PAGE_BYTES + 24;
/** Measured on the same jobs with an entry for each word and for each prefix of a title. */
const PAGES_BEFORE = 131.7;
const LEAST = 'two frequent words';

const CONSONANTS = [...'bcdfglmnprstv', 'st', 'tr', 'pl', 'ch'];
const VOWELS = [...'aeiou', 'ea', 'ou'];

/** Pseudo-random numbers below 1, the same in each run (Lehmer). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const random = randomNumbers(20_260_101);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

function newWord(): string {
  const syllables = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(CONSONANTS) + pick(VOWELS));
  return syllables.join('') + pick(CONSONANTS);
}

const vocabulary = [...new Set(Array.from({ length: VOCABULARY }, newWord))];
/** Frequent words first, as in a language (Zipf). */
const frequentWord = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
/** A word that some dozens of jobs have. */
const rareWord = () => vocabulary[1_000 + Math.floor(random() * 4_000)]!;

function mistyped(word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
}

const QUERIES: readonly (readonly [kind: string, query: () => string])[] = [
  ['one frequent word', () => vocabulary[Math.floor(random() * 20)]!],
  [LEAST, () => `${frequentWord()} ${frequentWord()}`],
  ['two rare words', () => `${rareWord()} ${rareWord()}`],
  ['a beginning', () => pick(vocabulary).slice(0, 3)],
  ['a word and a beginning', () => `${frequentWord()} ${pick(vocabulary).slice(0, 3)}`],
  ['two beginnings', () => `${pick(vocabulary).slice(0, 4)} ${pick(vocabulary).slice(0, 3)}`],
  ['a mistake', () => mistyped(rareWord())],
  ['a word and a mistake', () => `${frequentWord()} ${mistyped(rareWord())}`],
  ['two mistakes', () => `${mistyped(frequentWord())} ${mistyped(frequentWord())}`],
];

function jobEvent(n: number): Event {
  const text = (words: number) => Array.from({ length: words }, frequentWord).join(' ');
  const role = `job-${String(n).padStart(12, '0')}`;
  const texts = { title: text(4), summary: text(WORDS - 9), done: text(3), terms: null, skills: [text(1), text(1)] };
  const fields = { role, item: n, poster: `agent_${n % 1_000}`, ...texts, budget: null, expires_at: null };
  const [event] = toEvents([['JobPosted', fields, `job-${role}`]]);
  return { ...event!, position: String(n).padStart(POSITION_WIDTH, '0') };
}

/** Searches among 100,000 jobs by processor time, and the pages that a posted job writes. */
export async function search(folder: Folder, say: (sentence: string) => void): Promise<Row[]> {
  const file = folder.of('search.sqlite');
  const store = SqliteDocumentStore.open(file);
  try {
    const models = new ReadModels(store, new MemoryLog(), PROJECTIONS);
    await models.open();
    await postJobs(store, say);
    const pages = await pagesPerJob(store, file);
    const kinds: (readonly [kind: string, searches: Measured[]])[] = [];
    for (const [kind, query] of QUERIES)
      kinds.push([kind, await measureSearches(models, Array.from({ length: SEARCHES }, query))]);
    const least = medianOf(kinds.find(([kind]) => kind === LEAST)![1]);
    return [
      ...kinds.map(([kind, searches]) => ({
        name: `search for ${kind}, against ${LEAST}`,
        ratio: medianOf(searches) / least,
        floor: 6,
        aim: 3,
        better: 'less' as const,
        figures: describe(searches),
      })),
      {
        name: 'pages in the write-ahead log for a posted job, against those before search by stem',
        ratio: pages / PAGES_BEFORE,
        floor: 1,
        aim: 0.8,
        better: 'less',
        figures: `${pages.toFixed(1)} of 2 KiB`,
      },
    ];
  } finally {
    await store.close();
  }
}

interface Measured {
  readonly ms: number;
  readonly match: string | null;
}

async function measureSearches(models: ReadModels, queries: readonly string[]): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const q of queries) {
    const from = process.cpuUsage();
    const { match } = await searchRoles(models, 0, { words: parseQueryWords(q), limit: LIMIT, after: undefined });
    const { user, system } = process.cpuUsage(from);
    all.push({ ms: (user + system) / 1_000, match });
  }
  return all;
}

const medianOf = (all: readonly Measured[]) => median(all.map(({ ms }) => ms));

function describe(all: readonly Measured[]): string {
  const times = all.map(({ ms }) => ms);
  const counts = [...new Set(all.map(({ match }) => match))].map(
    kind => `${all.filter(({ match }) => match === kind).length} by ${kind ?? 'nothing'}`,
  );
  return `${medianOf(all).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)}; ${counts.join(', ')}`;
}

async function postJobs(store: SqliteDocumentStore, say: (sentence: string) => void): Promise<void> {
  for (let n = 1; n <= JOBS; n += BATCH) {
    await commit(
      store,
      Array.from({ length: BATCH }, (_, at) => jobEvent(n + at)),
    );
    if (n % 20_000 === 1) say(`${n - 1} jobs`);
  }
}

let reached = LOG_START;

/** Each job is new, so no document is read before. */
async function commit(store: SqliteDocumentStore, events: readonly Event[]): Promise<void> {
  const to = events.at(-1)!.position;
  const batches = PROJECTIONS.map(projection => {
    const own = projection.raw ? [] : events.filter(({ type }) => projection.types.includes(type));
    return { projection, documents: fold(projection, own, new Map()), from: reached, to };
  });
  await store.commit(batches);
  reached = to;
}

async function pagesPerJob(store: SqliteDocumentStore, file: string): Promise<number> {
  const other = Sqlite.open(file, { component: 'bench', synchronous: 'NORMAL' });
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  const before = statSync(`${file}-wal`).size;
  for (let n = 1; n <= MEASURED_JOBS; n += 1) await commit(store, [jobEvent(JOBS + n)]);
  return (statSync(`${file}-wal`).size - before) / FRAME_BYTES / MEASURED_JOBS;
}
