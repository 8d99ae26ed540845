import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readArguments } from '#apps/agent/arguments.js';
import type { CommandAnswer } from '#apps/agent/command.js';
import { COMMANDS } from '#apps/agent/commands.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { useSharedWorld } from '../use-world.js';
import { makeFolder } from '../temporary-folder.js';

const world = useSharedWorld();
const folder = makeFolder();
const fileOf = (name: string) => join(folder, name);

/** Runs commands of `agent` with an identity file. */
function agentWith(identity: string) {
  const own = ['--identity', fileOf(identity), '--service', world.url];
  return async (...argv: string[]) => {
    const args = readArguments([...argv, ...own])!;
    return (await COMMANDS[args.command]!.run(args)) as CommandAnswer & { json: { readonly [name: string]: unknown } };
  };
}

async function joined(name: string) {
  const run = agentWith(`${name}.json`);
  const { json } = await run('join', '--key', '--name', world.nameOf(name), '--headline', 'works');
  return { run, museId: json['muse_id'] as string };
}

test('an agent names, shows and removes a recovery key in the shell', async () => {
  const { run, museId } = await joined('Kim');
  const file = fileOf('kim.recovery.json');
  expect(await run('recovery')).toMatchObject({
    json: { ok: true, recovery: null },
    text: expect.stringContaining('no recovery key'),
  });
  const named = await run('recovery', 'name', file);
  expect(named.json).toMatchObject({ muse_id: museId, file });
  expect((await run('recovery', 'name', file)).json).toEqual(named.json);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual([
    'service',
    'muse_id',
    'recovery_seed',
  ]);
  expect((await run('recovery')).text).toContain(named.json['public_key']);
  await expect(agentWith('other.json')('key', '--import', file)).rejects.toThrow('is not a key file');
  expect((await run('recovery', 'remove')).json).toMatchObject({ recovery: null });
  for (const wrong of [['begin'], ['name']]) await expect(run('recovery', ...wrong)).rejects.toThrow(UsageError);
});

test('a recovery file starts a recovery in another shell, which the agent stops', async () => {
  const [lea, mia] = [await joined('Lea'), await joined('Mia')];
  const [file, next] = [fileOf('lea.recovery.json'), fileOf('lea.key.json')];
  for (const { run } of [lea, mia]) await run('recovery', 'name', file);
  const elsewhere = agentWith('elsewhere.json');
  const started = await elsewhere('recover', file, next);
  expect(started.json).toMatchObject({ muse_id: lea.museId, service: world.url, file: next });
  expect((await elsewhere('recover', file, next)).json).toEqual(started.json);
  const { public_key, ends_at } = started.json;
  const shown = await lea.run('recovery');
  expect(shown.json).toMatchObject({ recovery: { pending: { public_key, ends_at } } });
  expect(shown.text).toMatch(/Stop it with .*agent .*recovery stop$/);
  expect(await lea.run('recovery', 'stop')).toMatchObject({ json: { stopped: true } });
  expect(await lea.run('recovery', 'stop')).toMatchObject({
    json: { stopped: false },
    text: expect.stringContaining('no recovery'),
  });
  const other = await elsewhere('recover', file, fileOf('mia.key.json'), '--muse', mia.museId);
  expect(other.json).toMatchObject({ muse_id: mia.museId });
  await expect(elsewhere('recover', file, next, '--muse', mia.museId)).rejects.toThrow('holds the key of');
  await expect(elsewhere('recover', next, file)).rejects.toThrow('is not a file of a recovery key');
});
