import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { Health } from '#libs/features/stats/health-report.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredEvent, StoredNewEvent } from '#libs/kernel/event.js';
import { problemsOf } from '#apps/operator/problems.js';
import { feedEventDigest } from '#libs/signing/event-digest.js';
import type { RawAgent } from '../raw-agent.js';
import { World } from '../world.js';

let world: World;
let poster: AgentClient;
let writer: RawAgent;
beforeAll(async () => {
  world = await World.start();
  [poster] = (await world.agents('poster')) as [AgentClient];
  writer = await world.raw('writer');
});
afterAll(() => world.stop());

const get = async <T>(path: string) => (await fetch(`${world.url}${path}`)).json() as Promise<T>;
const events = async (query: string) => (await get<{ events: JsonObject[] }>(`/api/events?${query}`)).events;

/** What a newer build of the service wrote, before somebody went back to this one. */
async function writtenByNewerBuild(stream: string, changed: Partial<StoredNewEvent>): Promise<StoredEvent> {
  const { log } = world.service.stores;
  const event: StoredNewEvent = {
    id: '00000000-0000-8000-8000-00000000000a',
    type: 'SongSung',
    version: 1,
    stream,
    at: world.now(),
    actor: 'service',
    cause: 'request/newer',
    decided_by: 'sing@1',
    based_on: {},
    authorization: { mode: 'service', reason: 'test' },
    data: { title: { sealed: 'AAAA' }, loud: true },
    ...changed,
  };
  return (await log.append(stream, 'any', [event]))[0]!;
}

test('an event of an unknown type is served as it is stored and counts in the tree, and everything goes on', async () => {
  const stored = await writtenByNewerBuild('song-1', {});
  const { role } = await poster.job({
    title: 'A page',
    summary: 'A page that says something.',
    done: 'It is there.',
  });
  await world.settled();
  expect(await events(`after=${stored.position}`)).toMatchObject([{ type: 'JobPosted', stream: `job-${role}` }]);
  const [shown] = await events('stream=song-1');
  expect(shown).toEqual({ ...stored, digest: feedEventDigest(shown as never) });
  const newcomer = await world.agent('newcomer');
  expect(await newcomer.whoami()).toMatchObject({ joined: true });
});

test('health names what this build does not know, and nothing has stopped', async () => {
  await writtenByNewerBuild('song-2', { type: 'Joined', version: 2 });
  await world.settled();
  const health = await get<Health>('/api/health');
  expect(health).toMatchObject({ ok: true, status: 'degraded' });
  expect(health.event_log.unknown_types).toEqual(['Joined@2', 'SongSung']);
  expect(problemsOf(health as never)).toEqual([
    'The event log holds Joined@2, which this version of the service does not know: start a newer one.',
    'The event log holds SongSung, which this version of the service does not know: start a newer one.',
  ]);
  expect(health.projections.filter(({ state }) => state !== 'running')).toEqual([]);
});

test('a command that meets one in a stream that it decides on asks for a newer build', async () => {
  await writtenByNewerBuild(`muse-${writer.museId}`, {});
  const answer = await writer.post('profile', { bio: 'I write.' });
  expect(answer).toMatchObject({ status: 503, body: { code: 'upgrade_needed', retryable: true } });
});
