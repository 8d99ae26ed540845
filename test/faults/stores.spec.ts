import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NetworkReader, SeenPositions } from '#libs/client/index.js';
import { mongodb } from '../contract/mongodb.server.js';
import { CLEAN } from '../world.js';
import { Agents } from './stores/agents.js';
import { Deployment } from './stores/deployment.js';
import { wreak } from './stores/faults.js';
import { type Answered, Notebook } from './stores/notebook.js';
import { Random } from './stores/random.js';

/** `FAULTS_SEED` repeats the faults of an earlier run. */
const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
const DURATION_MS = process.env['FAULTS'] === 'all' ? 150_000 : 25_000;
/** Includes the start, pending requests after the faults and the final checks on a slow machine. */
const TIMEOUT_MS = DURATION_MS + 240_000;
const PAIRS = 6;
const SHOWN_TIMEOUT_MS = 60_000;
const READS_AT_ONCE = 8;

type Named = { readonly type: string; readonly stream: string; readonly data: { readonly [name: string]: unknown } };

const RULE = 'stores that fail and processes that are killed under load';
const title = mongodb.available ? RULE : `${RULE}: MONGODB_URL is not set; ${mongodb.howToRun}`;

(mongodb.available ? describe : describe.skip)(title, () => {
  let deployment: Deployment;
  const notebook = new Notebook(() => deployment.urls, new Random(SEED + 2));
  let notes: string[] = [];

  beforeAll(async () => void (deployment = await Deployment.start()), TIMEOUT_MS);
  afterAll(() => deployment?.stop(), TIMEOUT_MS);

  test(
    `writers during faults get a response or a retryable error (FAULTS_SEED=${SEED})`,
    async () => {
      const agents = new Agents(deployment.world.url, notebook, deployment.stores.pages);
      await agents.start(PAIRS);
      const before = notebook.answered.length;
      try {
        notes = await wreak(deployment, SEED, DURATION_MS);
      } finally {
        await agents.stop().finally(() => report(notes, notebook, deployment));
      }
      expect(notebook.wrong).toEqual([]);
      expect(deployment.fallen).toEqual([]);
      expect(notebook.answered.length).toBeGreaterThan(before);
      expect(notebook.repeated).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'every confirmed write is in the log and readable at both gateways',
    async () => {
      const events = await deployment.world.events();
      const there = new Set(events.map(({ position }) => position));
      expect([...notebook.positions].filter(position => !there.has(position))).toEqual([]);
      expect(await deployment.world.service.models.waitForHead(SHOWN_TIMEOUT_MS)).toBe(true);
      const unseen: string[] = [];
      const left = notebook.answered.flatMap(answered => deployment.urls.map(url => [answered, url] as const));
      const look = async () => {
        for (let next = left.pop(); next; next = left.pop()) if (!(await isSeen(...next))) unseen.push(next[0].what);
      };
      await Promise.all(Array.from({ length: READS_AT_ONCE }, look));
      expect(unseen).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test('no write has two effects', async () => {
    const events = (await deployment.world.events()) as unknown as Named[];
    const each = (name: (event: Named) => string, ...types: string[]) =>
      events.filter(({ type }) => types.includes(type)).map(name);
    expectOnce(each(({ data }) => String(data['title']), 'JobPosted'));
    expectOnce(each(({ data }) => String(data['name']), 'Registered'));
    expectOnce(each(({ type, stream }) => `${type} ${stream}`, 'Joined', 'Applied', 'Hired', 'Delivered'));
  });

  test(
    'every signature and digest verifies, and the documents equal a rebuild',
    async () => expect(await deployment.world.audit()).toEqual(CLEAN),
    TIMEOUT_MS,
  );

  test(
    'every process stops in time although no store responds',
    async () => expect(await deployment.endUnanswered()).toEqual([0, 0, 0, 0]),
    TIMEOUT_MS,
  );
});

function isSeen({ position, isSeenBy }: Answered, url: string): Promise<boolean> {
  const seen = new SeenPositions();
  seen.note(position);
  return isSeenBy(new NetworkReader(url, { seen }));
}

function expectOnce(names: readonly string[]): void {
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
}

/** Prints the events of the run if `WORLD_LOG` is set. */
function report(notes: readonly string[], notebook: Notebook, deployment: Deployment): void {
  if (!process.env['WORLD_LOG']) return;
  const { answered, positions, repeated, refusals, wrong } = notebook;
  const counts = {
    answered: answered.length,
    positions: positions.size,
    repeated,
    refusals: Object.fromEntries(refusals),
  };
  const { failedStarts, fallen } = deployment;
  process.stderr.write(`${JSON.stringify({ notes, ...counts, failedStarts, fallen, wrong }, null, 1)}\n`);
}
