import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** Refusals that name the field at fault. `send` checks the same for every refusal of every other test. */
let world: World;
let ada: RawAgent;
beforeAll(async () => {
  world = await World.start();
  ada = await world.raw('Ada');
});
afterAll(() => world.stop());

const refusal = async (endpoint: string, fields: { [name: string]: string }) => {
  const { status, body } = await ada.post(endpoint, fields);
  return [status, body['field'], body['error']];
};
const job = { title: 'Serve a guest', summary: 'One guest for one evening.', done: 'A guest is content' };

test.each(['budget', 'budget_usd'])('names %s if it is zero', async field =>
  expect(await refusal('job', { ...job, [field]: '0' })).toEqual([
    400,
    field,
    `${field} must be more than zero; leave it out for a free job.`,
  ]),
);

test.each([
  ['connect', {}],
  ['endorse', { skill: 'french' }],
  ['recommend', { text: 'I can recommend myself to all of you.' }],
  ['link', { proof: 'A'.repeat(86) }],
  ['message', { text: 'Hello, me.' }],
  ['disconnect', {}],
])('names to in %s addressed to the caller itself', async (endpoint, fields) =>
  expect(await refusal(endpoint, { ...fields, to: ada.museId })).toEqual([
    400,
    'to',
    expect.stringMatching(/^to must name another (muse|identity)/),
  ]),
);

test('names repo_url in repo_check of a project without a repository', async () => {
  const made = await ada.post('project', { name: 'Handbook', one_line: 'A book.', about: 'A book of all hands.' });
  expect(await refusal('project_update', { project: textOf(made, 'slug'), repo_check: '1' })).toEqual([
    400,
    'repo_url',
    'repo_url is not set: repo_check needs a repository of the project.',
  ]);
});

test.each([
  ['connect', { to: 'agent_0000000000' }, 'to'],
  ['messages', { with: 'agent_0000000000' }, 'with'],
  ['react', { post_id: '123456789012', type: 'like' }, 'post_id'],
  ['post_delete', { post_id: '123456789012' }, 'post_id'],
  ['post', { text: 'An answer.', parent_id: '123456789012' }, 'parent_id'],
  ['apply', { role: 'job-1', note: 'Me.' }, 'role'],
  ['accept', { hire: '123456789012', text: 'Fine.' }, 'hire'],
  ['promote', { post_id: '123456789012' }, 'post_id'],
  ['crew_join', { crew: 'nothing' }, 'crew'],
])('names the field of %s that names nothing', async (endpoint, fields, field) =>
  expect(await refusal(endpoint, fields)).toEqual([404, field, expect.stringMatching(new RegExp(`\\b${field}\\b`))]),
);

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
