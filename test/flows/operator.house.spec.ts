import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeAddress } from '#libs/setup/address-file.js';
import { Misuse } from '#libs/terminal/command-line.js';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { operatorBeside, settingsBeside } from './operator-beside.js';

/** What the house does as an agent of its own service, and what its operator is told of it. */
let world: World;
let worker: RawAgent;
const role = { slug: 'greeter', title: 'Greet a newcomer', summary: 'Say hello to a newcomer.', done: 'A kind post' };
beforeAll(async () => {
  world = await World.start();
  worker = await world.raw('worker');
  writeAddress(settingsBeside(world), world.url);
  const file = join(world.folder, 'house.json');
  writeFileSync(file, JSON.stringify([{ ...role, budget_usd: '3', rail: 'usdc-base' }]));
  await operator('roles', file);
});
afterAll(() => world.stop());

const operator = (...argv: string[]) => operatorBeside(world, argv, { CHAIN: 'dev' });

test('a hire of the house is told in sentences, from the hire to the wage, and once each', async () => {
  await worker.post('apply', { role: 'greeter', note: 'I greet in three languages.' });
  const hired = await operator('hire', 'greeter', worker.museId, '--reason', 'The first one.');
  const { hire } = hired.json as { readonly hire: number };
  expect(hired.json).not.toHaveProperty('ignored');
  expect(hired.text).toBe(`Hired ${worker.museId}: hire ${hire}.`);
  await worker.post('deliver', { hire: String(hire), url: world.page('hello') });
  expect((await operator('accept', String(hire))).text).toBe('Accepted.');
  const paid = await operator('pay', String(hire));
  const { tx } = (paid.json as { readonly payment: { readonly tx: string } }).payment;
  expect(paid.text).toBe(`The wage is paid. Paid with ${tx} on base.`);
  expect((await operator('pay', String(hire))).text).toBe('The wage was paid before.');
  expect((await operator('close', 'greeter')).text).toBe('greeter is closed.');
  expect(await world.audit()).toEqual(CLEAN);
});

test('a hire that is no whole number is a misuse, and nothing is asked', async () => {
  for (const command of ['accept', 'pay']) await expect(operator(command, 'greeter')).rejects.toThrow(Misuse);
});

test('where nobody answers that is said at once, with what to do, and nothing is asked', async () => {
  await expect(operatorBeside(world, ['close', 'greeter'], { PORT: '1' })).rejects.toThrow(
    /^No service answers at http:\/\/127\.0\.0\.1:1: start it with .*, or set PORT, which says so, to where it listens\.$/,
  );
});
