import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const JOB = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads like French' };

describe('whoami', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  test('suggests a new job until it expires, also from memory', async () => {
    const [poster, seeker] = [await world.raw('Poster'), await world.raw('Seeker')];
    await seeker.post('join', { headline: 'Looks for work' });
    const suggested = async () => {
      const { body } = await seeker.post('whoami');
      return (body['next'] as unknown as { readonly role?: string }[]).flatMap(({ role }) => role ?? []);
    };
    await suggested();
    const expires_at = String(world.now() + 2 * DAY_MS);
    const role = textOf(await poster.post('job', { ...JOB, expires_at }), 'role');
    expect(await suggested()).toContain(role);
    await world.settle();
    expect(await suggested()).toContain(role);
    const read = jest.spyOn(world.service.models, 'memoize');
    expect(await suggested()).toContain(role);
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
    await world.advance(2 * DAY_MS);
    expect(await suggested()).not.toContain(role);
  });

  test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
});
