import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readArguments } from '#apps/auditor/arguments.js';
import { runCommand } from '#apps/auditor/commands.js';
import { sealKeyName } from '#libs/event-log/muse-keys.js';
import { readSettings } from '#libs/setup/settings.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, newFolder, settingsIn, World } from '../world.js';

const WORD = 'Ouagadougou';

describe.each(['sqlite', 'eventstoredb'])('a %s log that went back before a request to forget', kind => {
  const folder = newFolder();
  let double: EventStoreDouble | undefined;
  let place: { readonly [name: string]: string } = {};
  let world: World;
  let gone: RawAgent;
  let friend: RawAgent;
  beforeAll(async () => {
    if (kind === 'eventstoredb') double = await EventStoreDouble.start();
    if (double) place = { EVENT_LOG: kind, EVENTSTORE_URL: double.url };
    world = await World.start({ folder, settings: place });
    [gone, friend] = await world.raws(WORD, 'friend');
    await gone.ok('profile', { bio: `${WORD} bio`, skills: 'latin' });
    await gone.ok('post', { text: `${WORD} says it` });
    const role = await gone.postJob({
      title: `${WORD} job`,
      summary: `A job of ${WORD}, at last.`,
      done: 'It is done.',
    });
    await friend.ok('apply', { role, note: 'Me.' });
    await friend.ok('connect', { to: gone.museId });
  }, 60_000);
  afterAll(async () => {
    await world.stop();
    await double?.kill();
  });

  const at = (name: string) => join(folder, name);
  function copyLog(): () => void {
    if (double) return double.memory.copy();
    cpSync(at('data/events.db'), at('events.copy'));
    return () => {
      for (const beside of ['-wal', '-shm']) rmSync(at(`data/events.db${beside}`), { force: true });
      cpSync(at('events.copy'), at('data/events.db'));
    };
  }

  const erasures = async () => (await world.events()).filter(({ type }) => type === 'Forgotten');
  const filesWithWord = () =>
    readdirSync(at('data')).filter(
      name =>
        name.includes('.db') &&
        readFileSync(at(`data/${name}`), 'latin1')
          .toLowerCase()
          .includes('ouagadougou'),
    );

  test('has the agent forgotten again by the service, as the auditor reports', async () => {
    let putBack = () => {};
    await world.restart({}, () => void (putBack = copyLog()));
    for (const agent of [gone, friend]) agent.url = world.url;
    await gone.ok('forget', { confirm: gone.museId });
    await world.settle();
    expect(await erasures()).toMatchObject([{ actor: gone.museId }]);

    await world.restart({}, () => putBack());
    for (const agent of [gone, friend]) agent.url = world.url;
    await world.settle();
    const again = { actor: 'service', decided_by: 'forget-again@1', data: { muse_id: gone.museId } };
    expect(await erasures()).toMatchObject([again]);
    expect(await world.service.stores.vault.get(sealKeyName(gone.museId))).toBe('destroyed');
    expect(await gone.post('post', { text: 'Hello?' })).toMatchObject({ status: 401, body: { code: 'forgotten' } });
    const { body } = await friend.post('whoami');
    expect(body).toMatchObject({ ok: true });
    expect(await world.audit()).toEqual(CLEAN);
    const settings = readSettings({ ...settingsIn(folder), ...place, PORT: '1' });
    const { json, text } = await runCommand(readArguments(['verify', '--from', world.url])!, settings);
    expect(json).toMatchObject({ ok: true, findings: [], forgotten_again: [gone.museId] });
    expect(text).toContain(`because their key was destroyed before the log went back: ${gone.museId}\n`);

    await world.restart();
    expect(await erasures()).toMatchObject([again]);
    await world.service.stop();
    expect(filesWithWord()).toEqual([]);
    await world.restart();
  }, 60_000);
});
