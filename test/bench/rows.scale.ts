import { setTimeout as pause } from 'node:timers/promises';
import { ReadModels } from '#libs/documents/read-models.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { callsBetween } from '../doubles/eventstoredb/call-counts.js';
import { send } from '../raw-agent.js';
import type { Folder } from './folder.js';
import type { Row } from './report.js';
import { Deployment, type Size, type Times } from './scale/deployment.js';
import { Writers } from './scale/writers.js';
import { median } from './statistics.js';

const ONE: Size = { gateways: 1, projectors: 1 };
const STANDBYS: Size = { gateways: 1, projectors: 3 };
const THREE: Size = { gateways: 3, projectors: 3 };
const WRITERS = 8;
/** Rate far below the limit of the test MongoDB server. */
const PER_SECOND = 4;
const WARM_MS = 3_000;
const MEASURED_MS = 10_000;
const IDLE_MS = 5_000;
const LAGS = 40;
const LAG_LOOK_MS = 2;
const KILLED_MS = 4_000;
const SHOWN_MS = 60_000;
const PAGE = 1_000;

interface DeploymentFigures {
  readonly perSecond: number;
  /** Processor ms per write by kind of process, without idle load. */
  readonly ms: Times;
  /** Processor ms per idle second. */
  readonly standing: Times;
  /** EventStoreDB calls per write. */
  readonly calls: number;
}

interface Latencies {
  readonly writeMs: number;
  /** Time from the response of one gateway until the next one shows the job. */
  readonly lagMs: number;
}

/** Compares three gateways and projectors with one of each by processor time per write: they share two cores. */
export async function scale(folder: Folder, say: (sentence: string) => void): Promise<Row[]> {
  const mongodb = process.env['MONGODB_URL'];
  if (!mongodb) {
    say('not run: it needs a MongoDB server. test/servers/with-mongodb.sh npm run bench -- scale starts one for it.');
    return [];
  }
  const measureAndSay = async (deployment: Deployment) => {
    const figures = await measureDeployment(deployment);
    say(`${deployment.gateways.length} + ${deployment.projectors.length}: ${figuresOf(figures)}`);
    return figures;
  };
  const [one, standbys, [alone, besides]] = await withDeployment(folder, mongodb, ONE, async single => {
    const figures = await measureAndSay(single);
    return withDeployment(folder, mongodb, STANDBYS, async several => {
      const latencies = await measureLatencies(single, several);
      say(`latencies of one and of several projectors: ${JSON.stringify(latencies)}`);
      await single.stop();
      return [figures, await measureAndSay(several), latencies] as const;
    });
  });
  const [three, lost] = await withDeployment(folder, mongodb, THREE, async deployment => [
    await measureAndSay(deployment),
    await killUnderLoad(deployment),
  ]);
  const totalMs = ({ ms }: DeploymentFigures) => Object.values(ms).reduce((sum, each) => sum + each, 0);
  const latencyRow = (name: string, of: (latencies: Latencies) => number): Row => ({
    name: `${name}: an active projector and two standbys, against one projector`,
    ratio: of(besides) / of(alone),
    floor: 1.5,
    aim: 1.1,
    better: 'less',
    figures: `${of(besides).toFixed(1)}, ${of(alone).toFixed(1)} ms`,
  });
  return [
    latencyRow('latency of a write', ({ writeMs }) => writeMs),
    latencyRow('latency of a document', ({ lagMs }) => lagMs),
    {
      name: 'processor time a write: an active projector and two standbys, against one projector',
      ratio: totalMs(standbys) / totalMs(one),
      floor: 1.5,
      aim: 1.1,
      better: 'less',
      figures: figuresOf(standbys),
    },
    {
      name: 'processor time a write: 3 gateways and 3 projectors, against 1 and 1',
      ratio: totalMs(three) / totalMs(one),
      floor: 2,
      aim: 1.3,
      better: 'less',
      figures: `${figuresOf(three)}; 1 and 1: ${figuresOf(one)}`,
    },
    {
      name: 'calls of EventStoreDB a write, the same',
      ratio: three.calls / one.calls,
      floor: 3,
      aim: 2,
      better: 'less',
      figures: `${three.calls.toFixed(2)}, ${one.calls.toFixed(2)}`,
    },
    {
      name: 'seconds until documents move again after the active projector is killed',
      ratio: lost.movedMs / 1_000,
      floor: 8,
      aim: 5,
      better: 'less',
      figures: `of three projectors, at ${three.perSecond.toFixed()} writes a second`,
    },
    {
      name: 'answered writes that are not in the log exactly once, a gateway and a projector killed',
      ratio: lost.wrong,
      floor: 0,
      aim: 0,
      better: 'less',
      figures: `of ${lost.answered}`,
    },
  ];
}

async function withDeployment<T>(
  folder: Folder,
  mongodb: string,
  size: Size,
  work: (deployment: Deployment) => Promise<T>,
) {
  const deployment = await Deployment.start(folder.of(`scale-${size.gateways}-${size.projectors}`), mongodb, size);
  try {
    return await work(deployment);
  } finally {
    await deployment.stop();
  }
}

async function measureDeployment(deployment: Deployment): Promise<DeploymentFigures> {
  const writers = await Writers.join(() => deployment.gateways.map(({ url }) => url), WRITERS);
  const idle = await processorTimes(deployment, IDLE_MS);
  writers.start(PER_SECOND);
  await pause(WARM_MS);
  const [calls, written] = [await deployment.calls(), writers.answered.size];
  const { seconds, ms } = await processorTimes(deployment, MEASURED_MS);
  const count = writers.answered.size - written;
  const callCount = Object.values(callsBetween(calls, await deployment.calls())).reduce((sum, each) => sum + each, 0);
  await writers.stop();
  await waitUntilShown(deployment);
  const each = timesOf(kind => (ms[kind] - (idle.ms[kind] / idle.seconds) * seconds) / count);
  const standing = timesOf(kind => idle.ms[kind] / idle.seconds);
  return { perSecond: count / seconds, ms: each, standing, calls: callCount / count };
}

const timesOf = (of: (kind: keyof Times) => number): Times => ({
  gateways: of('gateways'),
  projectors: of('projectors'),
  eventstoredb: of('eventstoredb'),
  mongodb: of('mongodb'),
});

async function processorTimes(
  deployment: Deployment,
  forMs: number,
): Promise<{ readonly seconds: number; readonly ms: Times }> {
  const [before, from] = [deployment.times(), performance.now()];
  await pause(forMs);
  const after = deployment.times();
  return { seconds: (performance.now() - from) / 1_000, ms: timesOf(kind => after[kind] - before[kind]) };
}

/** Writes to each deployment in turn, so that other load of the machine affects both alike. */
async function measureLatencies(...deployments: readonly [Deployment, Deployment]): Promise<[Latencies, Latencies]> {
  const all = await Promise.all(
    deployments.map(async deployment => {
      const writers = await Writers.join(() => deployment.gateways.map(({ url }) => url), 1);
      return { deployment, writers, writes: [] as number[], lags: [] as number[] };
    }),
  );
  for (let at = 0; at < LAGS; at += 1)
    for (const { deployment, writers, writes, lags } of all) {
      const { writeMs, lagMs } = await measureLatency(deployment, writers);
      writes.push(writeMs);
      lags.push(lagMs);
    }
  return all.map(({ writes, lags }) => ({ writeMs: median(writes), lagMs: median(lags) })) as [Latencies, Latencies];
}

async function measureLatency({ gateways }: Deployment, writers: Writers): Promise<Latencies> {
  const began = performance.now();
  const { role, url } = await writers.post();
  const from = performance.now();
  const other = gateways[(gateways.findIndex(each => each.url === url) + 1) % gateways.length]!;
  while ((await send(other.url, `/api/role/${role}`)).status !== 200) await pause(LAG_LOOK_MS);
  return { writeMs: from - began, lagMs: performance.now() - from };
}

async function killUnderLoad(deployment: Deployment) {
  const writers = await Writers.join(() => deployment.gateways.map(({ url }) => url), WRITERS);
  writers.start(PER_SECOND);
  await pause(WARM_MS);
  await deployment.kill('projectors');
  const { role } = await writers.post();
  const from = performance.now();
  await waitUntilShown(deployment);
  const movedMs = performance.now() - from;
  await pause(KILLED_MS);
  await deployment.kill('gateways');
  await pause(KILLED_MS);
  await writers.stop();
  await waitUntilShown(deployment);
  const answers = await Promise.all(deployment.gateways.map(({ url }) => send(url, `/api/role/${role}`)));
  if (new Set(answers.map(({ body }) => JSON.stringify(body))).size > 1)
    throw new Error('Two gateways show one role differently.');
  const posted = await postedIn(deployment);
  const wrong = [...writers.answered.keys()].filter(title => posted.get(title) !== 1).length;
  const twice = [...posted.values()].filter(count => count > 1).length;
  return { movedMs, answered: writers.answered.size, wrong: wrong + twice };
}

/** Waits until every projection contains the log. */
async function waitUntilShown({ stores }: Deployment): Promise<void> {
  const models = new ReadModels(stores.documents, stores.log, PROJECTIONS);
  await models.open();
  if (!(await models.waitForPosition(await stores.log.head(), SHOWN_MS)))
    throw new Error('The documents do not follow the log.');
}

async function postedIn({ stores: { journal } }: Deployment): Promise<Map<string, number>> {
  const titles = new Map<string, number>();
  for (let after: Position = LOG_START; ;) {
    const page = await journal.readAll(after, PAGE, [JobPosted.type]);
    for (const { data } of page.events) {
      const { title } = data as { title: string };
      titles.set(title, (titles.get(title) ?? 0) + 1);
    }
    if (page.next === after) return titles;
    after = page.next;
  }
}

const shownTimes = (times: Times) =>
  Object.entries(times)
    .map(([kind, each]) => `${kind} ${each.toFixed(1)}`)
    .join(', ');

const figuresOf = ({ perSecond, ms, standing, calls }: DeploymentFigures) =>
  `at ${perSecond.toFixed(1)} a second ms of processor each: ${shownTimes(ms)}; of a second without any: ${shownTimes(standing)}; ` +
  `${calls.toFixed(1)} calls of EventStoreDB`;
