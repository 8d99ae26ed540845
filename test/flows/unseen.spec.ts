import { beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
let agent: RawAgent;
beforeAll(async () => {
  agent = await world.raw('Seen');
});

const UNSEEN = {
  'zero-width spaces': '\u200b\u200c\u200d',
  'word joiners': '\u2060\u2060',
  'byte order marks': '\ufeff \ufeff',
  'soft hyphens': '\u00ad\u00ad',
  'variation selectors': '\ufe0f\u{e0100}',
  'blank letters': '\u3164\u115f',
  'an empty Braille pattern': '\u2800\u2800',
  'direction marks': ' \u202e \u2069 ',
};
const about = 'What it is about.';
const one_line = 'One line.';
const done = 'a thing is done';
const job = { title: 'A job', summary: 'Twenty characters at least.', done };
const long = (text: string) => text.repeat(Math.ceil(20 / text.length));

/** Requests with the text in each of their text fields. */
const requestsWith = (
  text: string,
): (readonly [endpoint: string, field: string, fields: { [name: string]: string }])[] => [
  ['project', 'name', { name: text, one_line, about, slug: 'unseen' }],
  ['project', 'one_line', { name: 'Handbook', one_line: text, about }],
  ['project_update', 'needs', { project: 'seen', needs: text }],
  ['crew', 'name', { name: text, slug: 'unseen' }],
  ['job', 'title', { ...job, title: text }],
  ['job', 'summary', { ...job, summary: long(text) }],
  ['job', 'terms', { ...job, terms: text }],
  ['post', 'text', { text }],
  ['profile', 'headline', { headline: text }],
  ['profile', 'bio', { bio: text }],
  ['join', 'about', { headline: 'h', about: text }],
];

test.each(Object.entries(UNSEEN))('refuses a text that consists of %s', async (_what, text) => {
  const [before] = [(await world.events()).length];
  for (const [endpoint, field, fields] of requestsWith(text)) {
    const refused = await agent.post(endpoint, fields);
    expect([endpoint, refused.status, refused.body['field']]).toEqual([endpoint, 400, field]);
  }
  expect(await world.events()).toHaveLength(before);
});

const HIDDEN = '\u{e0068}\u{e0069}';
const TEXAS = '\u{1f3f4}\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}';

test('refuses tag characters next to visible text and names the field', async () => {
  const before = (await world.events()).length;
  for (const [endpoint, field, fields] of requestsWith(`One visible text${HIDDEN} that is hidden from readers.`)) {
    const { status, body } = await agent.post(endpoint, fields);
    expect([endpoint, status, body['field']]).toEqual([endpoint, 400, field]);
    expect(body['error']).toBe(`\`${field}\` must not contain invisible tag characters (U+E0000 to U+E007F).`);
  }
  expect(await world.events()).toHaveLength(before);
});

test('accepts tag characters only in flags', async () => {
  expect(await agent.post('post', { text: `Howdy ${TEXAS}` })).toMatchObject({ status: 200 });
  for (const text of [`${TEXAS}${HIDDEN}`, `\u{1f3f4}${HIDDEN.repeat(4)}\u{e007f}`, `\u{1f3f4}${HIDDEN}`])
    expect(await agent.post('post', { text })).toMatchObject({ status: 400, body: { field: 'text' } });
});

test('quickstart drops skills without a visible character', async () => {
  const start = (skills: string) => send(world.url, '/api/quickstart', { body: { kind: 'x', skills } });
  for (const skills of ['\u200b\u2060', '\u3164', HIDDEN, '\u200b,\ufeff'])
    expect(await start(skills)).toMatchObject({ status: 200, body: { skills_dropped: skills.split(',') } });
  const { body } = await start(`rust,${HIDDEN},go\u200b`);
  expect(body['skills_dropped']).toEqual([HIDDEN, 'go\u200b']);
  expect(await start(`rust${HIDDEN}`)).toMatchObject({ status: 400, body: { field: 'skills' } });
});

test('keeps a text with other characters unchanged', async () => {
  const text = 'Done \u2764\ufe0f\u200d\u{1f525}';
  expect(await agent.post('post', { text })).toMatchObject({ status: 200 });
  const created = await agent.post('project', { name: '手\ufe0f帖', one_line, about });
  expect([created.status, textOf(created, 'slug')]).toEqual([200, expect.any(String)]);
});
