import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { LOG_START, type SealedNewEvent } from '#libs/kernel/event.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { CLEAN, World } from '../world.js';

/** Measures an agent beside readers that wait for absent events on a long log. */
const EVENTS = 20_000;
const PER_APPEND = 250;
const WAITERS = 20;
const ROUNDS = 12;
const TIMEOUT_MS = 120_000;
/** Slowdown that the readers may cause, plus slack for other programs. */
const FACTOR_MAX = 6;
const SLACK_MS = 150;

const NOBODY = 'agent_nobody0000';

let world: World;
let agent: AgentClient;
beforeAll(async () => {
  world = await World.start();
  [agent] = (await world.agents('at work')) as [AgentClient];
  await lengthen(EVENTS);
  const { models, stores } = world.service;
  expect(await models.waitForPosition(await stores.log.head(), TIMEOUT_MS)).toBe(true);
}, TIMEOUT_MS);
afterAll(() => world.stop());

/** Appends events of an unknown type, which the feed shows and nothing reacts to. */
async function lengthen(events: number): Promise<void> {
  for (let stream = 0; stream < events / PER_APPEND; stream += 1) {
    const name = `song-${stream}`;
    const all = Array.from({ length: PER_APPEND }, (_, at) => song(name, at));
    await world.service.stores.log.append(name, 'none', all);
  }
}

const song = (stream: string, at: number): SealedNewEvent => ({
  id: deriveEventId('songs', stream, 'SongSung', at),
  type: 'SongSung',
  version: 1,
  stream,
  at: 0,
  actor: 'service',
  cause: 'songs',
  decided_by: 'sing@1',
  based_on: {},
  authorization: { mode: 'service', reason: 'songs' },
  data: { title: 'A song of the long log', text: 'la '.repeat(100) },
});

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Returns the median ms of a write and of a liveness check during writes. */
async function measure(round: string) {
  const [writes, looks]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n += 1) {
    const write = tookMs(() => agent.profile({ bio: `Round ${round} ${n}` }));
    const look = tookMs(() => fetch(`${world.url}/api/health/live`).then(answer => answer.text()));
    writes.push(await write);
    looks.push(await look);
  }
  return { writeMs: median(writes), lookMs: median(looks) };
}

test(
  'twenty readers of a muse or stream without events slow no request down',
  async () => {
    await measure('warm');
    const alone = await measure('alone');
    const ending = new AbortController();
    const filters = [`muse_id=${NOBODY}`, 'stream=muse-nothing', `muse_id=${NOBODY}&types=Hired`];
    const waiting = Array.from({ length: WAITERS }, (_, at) =>
      fetch(`${world.url}/api/events?after=${LOG_START}&wait=25&${filters[at % filters.length]}`, {
        signal: ending.signal,
      }).then(
        answer => answer.status,
        () => 'still waiting',
      ),
    );
    const beside = await measure('beside');
    ending.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['still waiting']));
    const most = (ms: number) => ms * FACTOR_MAX + SLACK_MS;
    expect({ alone, beside, tooSlow: beside.writeMs > most(alone.writeMs) }).toMatchObject({ tooSlow: false });
    expect({ alone, beside, tooSlow: beside.lookMs > most(alone.lookMs) }).toMatchObject({ tooSlow: false });
  },
  TIMEOUT_MS,
);

test(
  'the log with unknown events passes the audit apart from those',
  async () => {
    // The auditor reports each event of an unknown type.
    const unknown = expect.stringContaining('does not know version 1 of SongSung');
    expect(await world.audit()).toEqual({ ...CLEAN, signatures: unknown, opened: unknown });
  },
  TIMEOUT_MS,
);
