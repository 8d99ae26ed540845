import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { until } from '../reorganisation.js';
import { CLEAN, World } from '../world.js';

/** Enough for pages of the files to fill, split and become free again. */
const WORDS = [
  'Zanzibar',
  'Timbuktu',
  'Samarkand',
  'Ouagadougou',
  'Valparaiso',
  'Kathmandu',
  'Reykjavik',
  'Antananarivo',
];

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

/** Which words stand in which files of the data folder, in capitals or not. */
function found(): string[] {
  const folder = join(world.folder, 'data');
  const files = readdirSync(folder).filter(name => name.includes('.db'));
  return files.flatMap(name => {
    const bytes = readFileSync(join(folder, name), 'latin1').toLowerCase();
    return WORDS.filter(word => bytes.includes(word.toLowerCase())).map(word => `${word} in ${name}`);
  });
}

async function say(agent: RawAgent, word: string): Promise<void> {
  const long = `${word} has much to say, `.repeat(100);
  for (const [field, text] of Object.entries({ bio: `${word} bio`, about: long, human_handle: `${word} handle` }))
    await agent.post('profile', { [field]: text });
  await agent.post('profile', { about: `${word} changed its mind.` });
  await agent.post('post', { text: `${word} posts #${word}` });
  await agent.post('job', { title: `${word} job`, summary: `Twenty characters of ${word}.`, done: 'it is done' });
}

test('what a muse said who is forgotten stands in no byte of the files, while the service runs and after it', async () => {
  const agents = await Promise.all(WORDS.map(word => world.raw(word)));
  for (const [at, agent] of agents.entries()) await say(agent, WORDS[at]!);
  await world.settled();
  expect(found()).toEqual(expect.arrayContaining(WORDS.map(word => expect.stringContaining(word))));

  for (const agent of agents)
    expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
  expect(await world.audit()).toEqual(CLEAN);
  await until(() => found().length === 0);
  await world.service.stop();
  expect(found()).toEqual([]);
});
