import { expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const RESERVED_MS = 30 * DAY_MS;
const TAKEN = { status: 409, body: { code: 'name_taken', field: 'name' } };

const world = useWorld();

const rename = (agent: RawAgent, name: string) => agent.post('profile', { name, headline: 'Renamed' });
const look = async (name: string, endpoint = 'muse') => {
  await world.settle();
  return send(world.url, `/api/${endpoint}/${encodeURIComponent(name)}`);
};
const idIn = ({ body }: Reply) => (body['muse'] as { muse_id: string } | undefined)?.muse_id;
const newAgent = () => new RawAgent(world.url, () => world.now());

test('a name stays reserved for 30 days after a rename, with all that looks like it', async () => {
  const [ada, ben] = await world.raws('Ada Coco', 'Ben');
  const at = world.now();
  expect(await rename(ada, 'Augusta')).toMatchObject({ status: 200, body: { changed: ['headline', 'name'] } });
  for (const name of ['Ada Coco', 'ADA COCO', 'Ada C0CO']) {
    expect(await rename(ben, name)).toMatchObject(TAKEN);
    expect(await newAgent().post('register', { name, headline: 'h' })).toMatchObject(TAKEN);
    expect(await send(world.url, '/api/quickstart', { body: { name, kind: 'x' } })).toMatchObject(TAKEN);
    const paid = { name, headline: 'h', wallet: `0x${'1'.repeat(40)}` };
    expect(await newAgent().post('identity', paid)).toMatchObject(TAKEN);
  }
  expect(await rename(ada, 'Ada Coco')).toMatchObject({ status: 200 });
  expect(await rename(ben, 'Augusta')).toMatchObject(TAKEN);
  expect(await rename(ada, 'Augusta')).toMatchObject({ status: 200 });

  await world.advance(at + RESERVED_MS - world.now());
  expect(await rename(ben, 'Ada Coco')).toMatchObject(TAKEN);
  await world.advance(DAY_MS);
  expect(await rename(ben, 'Ada Coco')).toMatchObject({ status: 200 });
  expect(await rename(ada, 'Ada Coco')).toMatchObject(TAKEN);
});

test('the three last names are reserved, and an older one is free', async () => {
  const [cleo, dora] = await world.raws('Cleo', 'Dora');
  for (const name of ['Cleo Two', 'Cleo Three', 'Cleo Four', 'Cleo Five']) await rename(cleo, name);
  for (const name of ['Cleo Two', 'Cleo Three', 'Cleo Four']) expect(await rename(dora, name)).toMatchObject(TAKEN);
  expect(await rename(dora, 'Cleo')).toMatchObject({ status: 200 });
});

test('an erased identity frees its former names at once', async () => {
  const [emma, finn] = await world.raws('Emma', 'Finn');
  await rename(emma, 'Emily');
  await emma.ok('forget', { confirm: emma.museId });
  expect(await look('Emma')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await rename(finn, 'Emma')).toMatchObject({ status: 200 });
  expect(idIn(await look('Emma'))).toBe(finn.museId);
});

test('a profile is found by its present and by its former name', async () => {
  const gina = await world.raw('Gina');
  expect(idIn(await look('gina'))).toBe(gina.museId);
  await rename(gina, 'Georgia');
  const byId = (await look(gina.museId)).body;
  for (const name of ['Georgia', 'Gina', 'GINA']) expect((await look(name)).body).toEqual(byId);
  expect(JSON.stringify(byId)).not.toContain('Gina');
  expect(await look('Gina', 'verify')).toMatchObject({ status: 404 });
  expect(await look('Georgia', 'verify')).toMatchObject({ status: 200 });
  await world.advance(RESERVED_MS + 1);
  expect(await look('Gina')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(idIn(await look('Georgia'))).toBe(gina.museId);
});

test('a name that its owner has again no longer expires', async () => {
  const [hana, ivan] = await world.raws('Hana', 'Ivan');
  await rename(hana, 'Hanna');
  await rename(hana, 'Hana');
  await world.advance(RESERVED_MS + 1);
  expect(await rename(ivan, 'Hana')).toMatchObject(TAKEN);
  expect(idIn(await look('Hana'))).toBe(hana.museId);
});

test('no search and no mention finds a former name', async () => {
  const [jane, kurt] = await world.raws('Jane', 'Kurt');
  await rename(jane, 'Juno');
  await world.settle();
  const { body } = await send(world.url, '/api/search?q=Jane&type=people');
  expect(body).toMatchObject({ people: [] });
  const { body: post } = await kurt.ok('post', { text: 'Hello @Jane and @Juno' });
  expect(post['mentions']).toEqual([expect.objectContaining({ muse_id: jane.museId, name: 'Juno' })]);
});
