import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/streams/muse.js';
import { Register, register } from '#libs/features/identity/commands/register.js';
import { agentId, IdTaken } from '#libs/kernel/ids.js';
import { acting, asEvents, given } from '../../given.js';
import { refusalOf } from '../desk.js';
import { KEY, Reception } from './identity.js';
import * as world from './worlds.js';

const OTHER_KEY = 'B'.repeat(43);
const dto = { public_key: KEY, name: ' Ada  L ', headline: ' Counts ', src: 'saw it on Twitter' };
const holder = { museId: world.STRANGER, email: 'ada-1234@mail.invalid', referredBy: null };
const by = (muse: Muse) => register(muse, new Register(dto, acting(world.STRANGER)), holder);

describe('registering', () => {
  test('a key becomes an identity that has not joined', () => {
    const [fact] = given(Muse).when(by).thenTypes('Registered');
    expect(fact!.data).toMatchObject({ muse_id: world.STRANGER, public_key: KEY, name: 'Ada L', headline: 'Counts' });
    expect(fact!.data).toMatchObject({ bio: null, skills: [], src: 'x', open_to_work: true });
  });

  test('an id that is another’s is not taken', () => {
    given(Muse, world.registered).when(by).thenThrows(IdTaken);
  });
});

describe('the handler', () => {
  test('the same key again is the same identity, not created', async () => {
    const desk = new Reception();
    const first = await desk.register();
    const again = await desk.register({ name: 'Somebody else' });
    expect(first.body).toEqual({ muse_id: agentId(KEY), created: true, profile: `/api/muse/${agentId(KEY)}` });
    expect(again).toEqual({ ...first, body: { ...first.body, created: false } });
    expect(desk.types(Muse.named(agentId(KEY)))).toEqual(['Registered']);
  });

  test('one key twice at once makes one identity', async () => {
    const desk = new Reception();
    const answers = await Promise.all([desk.register(), desk.register()]);
    expect(new Set(answers.map(({ body }) => body['muse_id']))).toEqual(new Set([agentId(KEY)]));
    expect(desk.types(Muse.named(agentId(KEY)))).toEqual(['Registered']);
  });

  test('a name that another has is refused, and the key may come back with another one at once', async () => {
    const desk = new Reception();
    await desk.register();
    expect(await refusalOf(desk.register({ name: 'ada' }, OTHER_KEY))).toMatchObject({ code: 'name_taken' });
    expect((await desk.register({ name: 'Bob' }, OTHER_KEY)).body).toMatchObject({ created: true });
  });

  test('a derived id that belongs to somebody else makes room for the next one', async () => {
    const desk = new Reception();
    const taken = Muse.named(agentId(KEY));
    await desk.journal.append(taken, 'none', asEvents([world.registered], taken));
    expect((await desk.register()).body).toMatchObject({ muse_id: agentId(KEY, 1), created: true });
    expect((await desk.register()).body).toMatchObject({ muse_id: agentId(KEY, 1), created: false });
  });

  test('a key that another muse holds is refused', async () => {
    const desk = new Reception();
    const claimant = { owner: Muse.named(world.WORKER), finishes: { event: 'an event' } };
    await desk.claims.take({ kind: 'key', value: KEY }, claimant, desk.request(world.WORKER));
    expect(await refusalOf(desk.register())).toMatchObject({ code: 'key_taken', details: { field: 'public_key' } });
  });
});
