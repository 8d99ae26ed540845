import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();
const TEXT = 'The page in French.';
const WAS = sha256Hex(TEXT);

async function deliverPost(poster: RawAgent, worker: RawAgent) {
  const { role, hire } = await poster.hire(worker);
  const post = textOf(await worker.ok('post', { text: TEXT }), 'id');
  await worker.ok('deliver', { hire, post_id: post });
  return { role, hire, post };
}

async function shown({ role, hire }: { readonly role: string; readonly hire: string }) {
  await world.settle();
  const { record, live } = (await world.read(`/api/record/hire/${hire}`)) as unknown as {
    record: { payload: string };
    live: JsonObject;
  };
  const payload = JSON.parse(record.payload) as JsonObject;
  const { hires } = (await world.read(`/api/role/${role}/hires`)) as unknown as { hires: JsonObject[] };
  return { payload, live, listed: hires[0]! };
}

test('a deleted post of a delivery drifts at once, and still after a forget', async () => {
  const [poster, worker] = await world.raws('Poster', 'Worker');
  for (const by of ['author', 'operator']) {
    const delivered = await deliverPost(poster, worker);
    expect((await shown(delivered)).listed).toMatchObject({ drift: null, delivery: { digest: WAS } });
    if (by === 'author') await worker.ok('post_delete', { post_id: delivered.post });
    else await operatorBeside(world, ['remove-post', delivered.post]);
    const drift = { changed: true, reason: 'deleted', digest: null, was: WAS };
    const { payload, live, listed } = await shown(delivered);
    expect(listed).toMatchObject({ drift: { ...drift, at: expect.any(Number) }, delivery: { digest: WAS, url: null } });
    expect(payload).toMatchObject({ drift: { ...drift, at: expect.any(String) } });
    expect(live).toMatchObject({ matches: false });
    expect((await shown(delivered)).payload).toEqual(payload);
    expect(await (await fetch(`${world.url}/jobs/${delivered.role}`)).text()).toContain(
      'The delivered post was deleted',
    );
    if (by === 'author') continue;
    await worker.ok('forget', { confirm: worker.museId });
    expect((await shown(delivered)).listed).toMatchObject({ drift });
  }
});

test('the post of a forgotten author drifts nowhere, and its digest stays', async () => {
  const [poster, worker] = await world.raws('Another poster', 'Leaving');
  const delivered = await deliverPost(poster, worker);
  await worker.ok('forget', { confirm: worker.museId });
  const { payload, live, listed } = await shown(delivered);
  expect(listed).toMatchObject({ drift: null, delivery: { digest: WAS, url: null } });
  expect(payload).toMatchObject({ drift: null });
  expect(live).toMatchObject({ matches: null });
});

test('a changed page names its reason', async () => {
  const [poster, worker] = await world.raws('Third poster', 'Changing');
  const { role, hire } = await poster.hire(worker);
  const url = world.page('as delivered', '/drifts');
  await worker.ok('deliver', { hire, url });
  world.page('changed', '/drifts');
  const drift = { changed: true, reason: 'changed', digest: sha256Hex('changed'), was: sha256Hex('as delivered') };
  await shown({ role, hire });
  expect((await shown({ role, hire })).listed).toMatchObject({ drift });
});
