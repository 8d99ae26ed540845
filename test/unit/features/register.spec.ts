import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { register } from '#libs/features/identity/register.js';
import { deriveAgentId, IdCollision } from '#libs/kernel/ids.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents, given, stateOf } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';
import { decides } from './deciding.js';
import { KEY, Reception } from './identity.js';
import * as world from './worlds.js';

const OTHER_KEY = 'B'.repeat(43);
const sent = { public_key: KEY, name: ' Ada  L ', headline: ' Counts ', src: 'saw it on Twitter' };
const by = decides(register, sent, world.STRANGER, { given: 'ada-1234@mail.invalid' }) as (muse: Muse) => Fact[];

describe('registering', () => {
  test('makes an identity that has not joined', () => {
    const [fact] = given(Muse).when(by).thenTypes('Registered');
    expect(fact!.data).toMatchObject({ muse_id: world.STRANGER, public_key: KEY, name: 'Ada L', headline: 'Counts' });
    expect(fact!.data).toMatchObject({ src: 'x', open_to_work: true });
    expect(stateOf(Muse, fact!)).toMatchObject({ bio: null, skills: [] });
  });

  test('throws if the id is taken', () => {
    given(Muse, world.registered).when(by).thenThrows(IdCollision);
  });
});

describe('the register command', () => {
  test('returns the existing identity for the same key', async () => {
    const stores = new Reception();
    const first = await stores.register();
    const again = await stores.register({ name: 'Somebody else' });
    expect(first.body).toEqual({
      muse_id: deriveAgentId(KEY),
      created: true,
      profile: `/api/muse/${deriveAgentId(KEY)}`,
    });
    expect(again).toEqual({ ...first, body: { ...first.body, created: false, adjusted: { name: 'Ada' } } });
    expect(stores.types(Muse.streamName(deriveAgentId(KEY)))).toEqual(['Registered']);
  });

  test('makes one identity for concurrent requests with one key', async () => {
    const stores = new Reception();
    const answers = await Promise.all([stores.register(), stores.register()]);
    expect(new Set(answers.map(({ body }) => body['muse_id']))).toEqual(new Set([deriveAgentId(KEY)]));
    expect(stores.types(Muse.streamName(deriveAgentId(KEY)))).toEqual(['Registered']);
  });

  test('refuses a taken name, and accepts the key with another name at once', async () => {
    const stores = new Reception();
    await stores.register();
    expect(await refusalOf(stores.register({ name: 'ada' }, OTHER_KEY))).toMatchObject({ code: 'name_taken' });
    expect((await stores.register({ name: 'Bob' }, OTHER_KEY)).body).toMatchObject({ created: true });
  });

  test('uses the next derived id if the first id is taken', async () => {
    const stores = new Reception();
    const taken = Muse.streamName(deriveAgentId(KEY));
    await stores.journal.append(taken, 'none', asEvents([world.registered], taken));
    expect((await stores.register()).body).toMatchObject({ muse_id: deriveAgentId(KEY, 1), created: true });
    expect((await stores.register()).body).toMatchObject({ muse_id: deriveAgentId(KEY, 1), created: false });
  });

  test('refuses a key that another muse holds', async () => {
    const stores = new Reception();
    const claimant = { owner: Muse.streamName(world.WORKER), finishes: { event: 'an event' } };
    await stores.claims.acquire({ kind: 'key', value: KEY }, claimant, stores.request(world.WORKER));
    expect(await refusalOf(stores.register())).toMatchObject({ code: 'key_taken', details: { field: 'public_key' } });
  });
});
