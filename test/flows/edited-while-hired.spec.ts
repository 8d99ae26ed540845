import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sha256Hex } from '#libs/kernel/ids.js';
import { send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const TRIES = 8;
const TERMS = { title: 'A page', summary: 'Twenty characters at least.', done: 'A page is there.' };

/** What a signed record holds of the note, and the note that its application shows. */
async function recorded(path: string) {
  const { record } = (await send(world.url, `/api/record/${path}`)).body as unknown as { record: { payload: string } };
  return JSON.parse(record.payload) as { note_commitment: string; note_salt: string };
}

test('an application that is edited while it is hired on says what it was hired on, everywhere, and can be proven', async () => {
  const [poster, worker] = [await world.raw('Paula'), await world.raw('Willa')];
  for (let turn = 0; turn < TRIES; turn += 1) {
    const role = textOf(await poster.post('job', { ...TERMS, title: `Page ${turn}` }), 'role');
    await worker.post('apply', { role, note: 'First.' });
    const [hired, edited] = await Promise.all([
      poster.post('hire', { role, to: worker.museId }),
      worker.post('apply', { role, note: 'Second.' }),
    ]);
    expect(hired).toMatchObject({ status: 200 });
    expect([edited.status, edited.body['code']]).toEqual(
      edited.status === 200 ? [200, undefined] : [409, 'already_hired'],
    );
    await world.settled();
    const shown = (await send(world.url, `/api/role/${role}`)).body as unknown as { applications: { note: string }[] };
    const { note } = shown.applications[0]!;
    const records = [`hire/${JSON.stringify(hired.body['hire'])}`, `application/${role}:${worker.museId}`];
    for (const path of records) {
      const { note_commitment, note_salt } = await recorded(path);
      const salted = Buffer.concat([Buffer.from(note_salt, 'hex'), Buffer.from(note)]);
      expect([path, sha256Hex(salted)]).toEqual([path, note_commitment]);
    }
    if (edited.status === 409) expect(note).toBe('First.');
  }
  expect(await world.audit()).toEqual(CLEAN);
});
