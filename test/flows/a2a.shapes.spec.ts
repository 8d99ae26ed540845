import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { a2aOf, data, message } from '../a2a.js';
import { type HeaderFields, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let as: HeaderFields;
beforeAll(async () => {
  as = await member();
});

const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
const task = 'Translate the manual into French.';

const withPart = (part: unknown) => message('', { parts: [part] });
const withMember = (name: string, value: unknown) => message(task, { [name]: value });
const pushTo = (config: object) => ({ ...message(task), configuration: { taskPushNotificationConfig: config } });
const url = 'https://agent.example/tasks';

describe('a message with a member of the wrong type', () => {
  const requests: readonly (readonly [method: string, params: object, name: string])[] = [
    ...[{}, [], 5, true].map(text => ['SendMessage', withPart({ text }), 'message.parts.0.text'] as const),
    ['SendMessage', withPart({ text: task, metadata: 'x' }), 'message.parts.0.metadata'],
    ['SendMessage', withPart({ text: task, filename: {} }), 'message.parts.0.filename'],
    ['SendMessage', withPart({ text: task, mediaType: 5 }), 'message.parts.0.mediaType'],
    ['SendMessage', withPart({ text: task, media_type: 5 }), 'message.parts.0.media_type'],
    ['SendMessage', withPart({ url: {} }), 'message.parts.0.url'],
    ['SendMessage', withPart({ text: task, data: {} }), 'message.parts.0'],
    ['SendMessage', withPart({}), 'message.parts.0'],
    ['SendMessage', withPart('text'), 'message.parts.0'],
    ['SendMessage', withMember('parts', task), 'message.parts'],
    ['SendMessage', withMember('messageId', { a: 1 }), 'message.messageId'],
    ['SendMessage', withMember('messageId', 5), 'message.messageId'],
    ['SendMessage', withMember('contextId', ['c']), 'message.contextId'],
    ['SendMessage', withMember('taskId', {}), 'message.taskId'],
    ['SendMessage', withMember('role', 'admin'), 'message.role'],
    ['SendMessage', withMember('metadata', []), 'message.metadata'],
    [
      'SendMessage',
      withMember('metadata', { 'x402.payment.payload': 'text' }),
      'message.metadata.x402.payment.payload',
    ],
    ['SendMessage', withMember('extensions', 'x'), 'message.extensions'],
    ['SendMessage', withMember('extensions', [5]), 'message.extensions.0'],
    ['SendMessage', withMember('referenceTaskIds', [{}]), 'message.referenceTaskIds.0'],
    ['SendMessage', { ...message(task), configuration: 'x' }, 'configuration'],
    ['SendMessage', { ...message(task), configuration: { historyLength: 'x' } }, 'configuration.historyLength'],
    ['SendMessage', { ...message(task), configuration: { returnImmediately: 'x' } }, 'configuration.returnImmediately'],
    ['SendMessage', { ...message(task), tenant: {} }, 'tenant'],
    ['SendMessage', { message: [] }, 'message'],
    ['SendMessage', pushTo({ url: {} }), 'configuration.taskPushNotificationConfig.url'],
    ['SendMessage', pushTo({ url, authentication: { scheme: 5 } }), 'authentication.scheme'],
    ['SendStreamingMessage', withPart({ text: {} }), 'message.parts.0.text'],
    ['GetTask', { id: {} }, 'id'],
    ['GetTask', { id: 5 }, 'id'],
    ['GetTask', { id: 'job-1', historyLength: -1 }, 'historyLength'],
    ['CancelTask', { id: ['job-1'] }, 'id'],
    ['SubscribeToTask', { id: true }, 'id'],
    ['CreateTaskPushNotificationConfig', { taskId: {}, url }, 'taskId'],
    ['GetTaskPushNotificationConfig', { taskId: 'job-1', id: {} }, 'id'],
    ['ListTaskPushNotificationConfigs', { taskId: 5 }, 'taskId'],
    ['DeleteTaskPushNotificationConfig', { taskId: 5, id: 'x' }, 'taskId'],
    ['ListTasks', { contextId: {} }, 'contextId'],
    ['ListTasks', { status: 'DONE' }, 'status'],
    ['ListTasks', { status: {} }, 'status'],
    ['ListTasks', { pageSize: 'many' }, 'pageSize'],
    ['ListTasks', { pageSize: 1.5 }, 'pageSize'],
    ['ListTasks', { pageToken: 5 }, 'pageToken'],
    ['ListTasks', { statusTimestampAfter: 'then' }, 'statusTimestampAfter'],
    ['ListTasks', { statusTimestampAfter: '2026-13-45T00:00:00Z' }, 'statusTimestampAfter'],
    ['ListTasks', { statusTimestampAfter: 5 }, 'statusTimestampAfter'],
    ['ListTasks', { includeArtifacts: 'yes' }, 'includeArtifacts'],
    ['ListTasks', { historyLength: {} }, 'historyLength'],
  ];

  test.each(requests)('%s of %j names %s in a -32602 error', async (method, params, name) => {
    const { status, error } = await rpc(method, params, as);
    expect([status, error?.code]).toEqual([200, -32602]);
    expect(error!.message).toContain(name);
  });

  test('a message with a member of the wrong type posts no job', async () => {
    expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ totalSize: 0 });
  });

  test.each([
    'status=DONE',
    'pageSize=many',
    'statusTimestampAfter=then',
    'includeArtifacts=yes',
    'pageToken=x',
    'status=',
    'historyLength=-5',
  ])('refuses tasks?%s over HTTP+JSON', async query => {
    expect((await rest(`/tasks?${query}`, as)).status).toBe(400);
  });

  test('is refused in a request for one task over HTTP+JSON too', async () => {
    const as = await member();
    const { id } = await ask(message(task), as);
    expect((await rest(`/tasks/${id}?historyLength=5`, as)).status).toBe(200);
    for (const path of ['?historyLength=-5', '?historyLength=x', ':subscribe?historyLength=-5'])
      expect([path, (await rest(`/tasks/${id}${path}`, as)).status]).toEqual([path, 400]);
    expect((await rest(`/tasks/${id}/pushNotificationConfigs?pageSize=-5`, as)).status).toBe(400);
    const sent = { ...message(task), configuration: { historyLength: -5 } };
    expect((await rest('/message:send', as, { body: sent })).status).toBe(400);
    expect((await rest(`/tasks/${id}:cancel`, as, { body: { metadata: 'x' } })).status).toBe(400);
  });
});

describe('a data part means what REST means', () => {
  const title = 'Translate the manual into French';

  test.each([
    [{ task: [task] }, 'task'],
    [{ task: { a: 1 } }, 'task'],
    [{ task: null }, 'task'],
    [{ task, budget: 0, budget_usd: '5' }, 'budget'],
    [{ skillId: 'find-workers', skil: 'french' }, 'skil'],
    [{ skillId: 'find-workers', skill: ['french'] }, 'strings'],
  ])('and %j is refused with -32602', async (part, name) => {
    const { error } = await rpc('SendMessage', data(part), as);
    expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining(name)]);
    const { status } = await rest('/message:send', as, { body: data(part) });
    expect(status).toBe(400);
  });

  test('and lists of skills and null are read as there', async () => {
    const posted = await ask(data({ task, skills: ['french', 'latin'], budget: null, done: null }), await member());
    expect(posted.metadata).toMatchObject({ title });
    expect(await world.read(`/api/role/${posted.id}`)).toMatchObject({ role: { skills: ['french', 'latin'] } });
    const { result } = await rpc('SendMessage', data({ skillId: 'find-workers', skill: 'french', q: null }), as);
    expect(result).toHaveProperty('message');
  });
});

test('accepts the ProtoJSON spellings of fields', async () => {
  const { message: sent } = message(task);
  const { messageId, ...more } = sent as { readonly messageId: string };
  const posted = await ask(
    { message: { ...more, role: 1, message_id: messageId, context_id: 'mine', task_id: null } },
    as,
  );
  expect(posted.contextId).toBe('mine');
  const params = {
    page_size: '5',
    status: 1,
    statusTimestampAfter: '2020-01-01T00:00:00.5+02:00',
    includeArtifacts: true,
  };
  expect((await rpc('ListTasks', params, as)).result).toMatchObject({ pageSize: 5, totalSize: 1 });
  const query = 'pageSize=5&includeArtifacts=false&statusTimestampAfter=2020-01-01T00:00:00Z';
  expect((await rest(`/tasks?${query}`, as)).body).toMatchObject({ pageSize: 5, totalSize: 1 });
});

test.each([
  ['1.0', undefined],
  ['1.0.0', undefined],
  ['1.0.17', undefined],
  ['1.1', -32009],
  ['1.1.0', -32009],
  ['1', -32009],
  ['1.0.x', -32009],
  ['0.3', -32009],
])('accepts or refuses the version %s', async (version, code) => {
  const body = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };
  const reply = await send(world.url, '/a2a', { body, headers: { ...as, 'a2a-version': version } });
  expect((reply.body['error'] as { readonly code?: number } | undefined)?.code).toBe(code);
});

describe('a text that contains JSON from the agent card', () => {
  test('is read as a data part', async () => {
    const fields = { skillId: 'post-job', task: 'Translate this line into French: Good evening.', skills: 'french' };
    const { metadata, id } = await ask(message(` ${JSON.stringify(fields)}\n`), as);
    expect(metadata!['title']).toBe('Translate this line into French: Good evening');
    const { result } = await rpc('SendMessage', message(JSON.stringify({ skillId: 'follow-job', role: id })), as);
    expect(result).toMatchObject({ task: { id } });
    await rpc('SendMessage', message('{"close": true}', { taskId: id }), as);
    expect((await get(id, as)).status.state).toBe('TASK_STATE_CANCELED');
  });

  test.each([
    '{"skillId": "cook"}',
    '{"skillId": 5}',
    '{"skillId": "post-job", "task": "Broken",}',
    '{"skillId": "post-job"',
  ])('is refused as %s', async text => {
    expect((await rpc('SendMessage', message(text), as)).error?.code).toBe(-32602);
  });

  test('stays plain text when its fields are unknown', async () => {
    const text = '{"greeting": "Translate this JSON into French"}';
    const { id } = await ask(message(text), as);
    expect((await send(world.url, `/api/role/${id}`)).body).toMatchObject({ role: { summary: text } });
  });
});

test('the examples of the agent card find workers', async () => {
  const ben = await world.raw('Ben');
  await ben.post('profile', { headline: 'Translates pages from English into French', skills: 'french, translation' });
  const other = await world.raw('Other');
  await other.post('profile', { headline: 'Reads French' });
  await world.settle();
  const { body } = await send(world.url, '/.well-known/agent-card.json');
  const skills = body['skills'] as unknown as { readonly id: string; readonly examples: readonly string[] }[];
  const { examples } = skills.find(({ id }) => id === 'find-workers')!;
  for (const example of examples) {
    const people = peopleIn((await rpc('SendMessage', message(example))).result!);
    expect([example, people]).toEqual([example, expect.arrayContaining([ben.museId])]);
  }
  const structured = data(JSON.parse(examples[1]!) as object);
  expect(peopleIn((await rpc('SendMessage', structured)).result!)).toEqual([ben.museId]);
  const byMost = peopleIn(
    (await rpc('SendMessage', message('Find people who do French translation of poems'))).result!,
  );
  expect(byMost).toEqual([ben.museId, other.museId]);
});

function peopleIn(result: JsonObject): string[] {
  const { parts } = result['message'] as unknown as { readonly parts: readonly { readonly data?: Found }[] };
  return parts.flatMap(part => part.data?.people ?? []).map(({ muse_id }) => muse_id);
}
interface Found {
  readonly people: readonly { readonly muse_id: string }[];
}
