import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { healthProblems } from '#libs/features/stats/health-problems.js';
import type { AgentClient } from '#libs/client/index.js';
import type { Health } from '#libs/features/stats/health-report.js';
import type { StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { asEvents } from '../given.js';
import type { RawAgent } from '../raw-agent.js';
import { World } from '../world.js';
import { watchErrors } from '../world/logged-errors.js';

describe('a value that does not open', () => {
  const BROKEN = { sealed: 'AAAA' };
  /** Long enough for several retries. */
  const LATER_MS = 2_500;

  let world: World;
  let poster: AgentClient;
  let writer: RawAgent;
  let errors: ReturnType<typeof watchErrors>;
  beforeAll(async () => {
    errors = watchErrors();
    world = await World.start();
    [poster] = (await world.agents('poster')) as [AgentClient];
    writer = await world.raw('writer');
  });
  afterAll(() => world.stop());

  const get = async <T>(path: string) => (await fetch(`${world.url}${path}`)).json() as Promise<T>;

  /** Corrupts the stored bio of a profile. */
  async function profileWithBrokenBio(): Promise<string> {
    const { codec, log } = world.service.stores;
    const stream = Muse.streamName(writer.museId);
    const [event] = asEvents([ProfileUpdated({ muse_id: writer.museId, bio: 'I write.', headline: 'Writes' })], stream);
    const { revision: _revision, position: _position, ...fresh } = { ...event!, actor: writer.museId, at: world.now() };
    const stored = await codec.seal(fresh);
    const data = { ...(stored.data as JsonObject), bio: BROKEN };
    return (await log.append(stream, 'any', [{ ...stored, data }]))[0]!.position;
  }

  test('stops only the read models that use it, and health names them', async () => {
    const position = await profileWithBrokenBio();
    const { role } = await poster.job({
      title: 'A page',
      summary: 'A page that says something.',
      done: 'It is there.',
    });
    await world.settle();

    const health = await get<Health>('/api/health');
    expect(health).toMatchObject({ ok: true, status: 'degraded', event_log: { unknown_types: [] } });
    const stopped = health.projections.filter(({ state }) => state === 'stopped');
    expect(stopped.map(({ name }) => name)).toEqual(['muses', 'muse_words']);
    expect(stopped[0]!.reason).toMatch(/^muses cannot take ProfileUpdated .* bio,headline cannot be decrypted\.$/);
    expect(health.projections.filter(({ lag, state }) => state === 'running' && lag !== 0)).toEqual([]);
    expect(healthProblems(health as never)).toEqual([
      expect.stringMatching(/^The projection muses stopped after position /),
      expect.stringMatching(/^The projection muse_words stopped after position /),
    ]);

    expect(await get(`/api/role/${role}`)).toMatchObject({ role: { slug: role } });
    const [shown] = (
      await get<{ events: JsonObject[] }>(`/api/events?types=ProfileUpdated&muse_id=${writer.museId}`)
    ).events.slice(-1);
    expect(shown).toMatchObject({ position, data: { bio: BROKEN, headline: { sealed: expect.any(String) } } });
    expect(shown!['digest']).toBe(feedEventDigest(shown as never));

    expect(await writer.post('profile', { bio: 'I read.' })).toMatchObject({
      status: 503,
      body: { code: 'unreadable_event', retryable: true },
    });
    const newcomer = await world.raw('newcomer');
    expect(await newcomer.post('apply', { role, note: 'I am fluent.' })).toMatchObject({ status: 200 });
  });

  test('a value that does not open is logged once', async () => {
    await new Promise(resolve => setTimeout(resolve, LATER_MS));
    expect(errors().map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^ProfileUpdated .* cannot be read: bio,headline cannot be decrypted\.$/),
      expect.stringMatching(/^muses cannot take ProfileUpdated /),
      expect.stringMatching(/^muse_words cannot take ProfileUpdated /),
    ]);
  });
});

describe('an event of an unknown type', () => {
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

  /** Appends an event as a newer version of the service would. */
  async function writtenByNewerBuild(stream: string, changed: Partial<SealedNewEvent>): Promise<StoredEvent> {
    const { log } = world.service.stores;
    const event: SealedNewEvent = {
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

  test('is served as stored, counts in the tree and stops nothing', async () => {
    const stored = await writtenByNewerBuild('song-1', {});
    const { role } = await poster.job({
      title: 'A page',
      summary: 'A page that says something.',
      done: 'It is there.',
    });
    await world.settle();
    expect(await events(`after=${stored.position}`)).toMatchObject([{ type: 'JobPosted', stream: `job-${role}` }]);
    const [shown] = await events('stream=song-1');
    expect(shown).toEqual({ ...stored, digest: feedEventDigest(shown as never) });
    const newcomer = await world.agent('newcomer');
    expect(await newcomer.whoami()).toMatchObject({ joined: true });
  });

  test('is named by health while all projections run', async () => {
    await writtenByNewerBuild('song-2', { type: 'Joined', version: 2 });
    await world.settle();
    const health = await get<Health>('/api/health');
    expect(health).toMatchObject({ ok: true, status: 'degraded' });
    expect(health.event_log.unknown_types).toEqual(['Joined@2', 'SongSung']);
    expect(healthProblems(health as never)).toEqual([
      'The event log holds Joined@2, which this version of the service does not know: start a newer version.',
      'The event log holds SongSung, which this version of the service does not know: start a newer version.',
    ]);
    expect(health.projections.filter(({ state }) => state !== 'running')).toEqual([]);
  });

  test('makes a command on its stream ask for a newer version', async () => {
    await writtenByNewerBuild(`muse-${writer.museId}`, {});
    const answer = await writer.post('profile', { bio: 'I write.' });
    expect(answer).toMatchObject({ status: 503, body: { code: 'upgrade_needed', retryable: true } });
  });
});
