import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { LOG_START } from '#libs/kernel/event.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { type HeaderFields, quickstart, send, textOf } from '../raw-agent.js';
import { inboxOf, listed, QUIET_MS, stateBecomes, useWebhookWorld } from './webhook-world.js';

const { hooks, world, receiver, other } = useWebhookWorld();

test('inbox items are sent at once and in order with their texts, and stay unread', async () => {
  const [ada, ben] = [await world.raw('Ada'), await world.raw('Ben')];
  await hooks.hooked(ben);
  await ada.connect(ben);
  await ada.ok('message', { to: ben.museId, text: 'Shall we begin?' });
  await ben.ok('profile', { skills: 'french' });
  await ada.ok('endorse', { to: ben.museId, skill: 'french' });
  const [request, message, endorsement] = await receiver.waitFor(3);
  const all = [request!, message!, endorsement!];
  expect(all.map(({ body }) => body.type)).toEqual(['connection_request', 'message', 'endorsement']);
  expect(message!.body).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: { kind: 'message', from: ada.museId, text: 'Shall we begin?', paid: false },
  });
  expect(message!.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/),
  });
  const items = await inboxOf(ben);
  expect(items.map(({ id }) => id)).toEqual(all.map(({ body }) => body.data['id']));
});

test('a filter without public events is refused by the name of its field', async () => {
  const ada = await world.raw('Narrow');
  const { headers } = await quickstart(world.url, { kind: 'narrower' });
  const body = { action: 'create', url: receiver.url };
  const refusal = (field: string) => ({ status: 400, body: { code: field, field } });
  expect(await ada.post('webhook', { ...body, about: ada.museId })).toMatchObject(refusal('about'));
  const byToken = { ...body, muse_id: ada.museId };
  expect(await send(world.url, '/api/webhook', { headers, body: byToken })).toMatchObject(refusal('muse_id'));
  const narrowed = await send(world.url, '/api/webhook', { headers, body: { ...byToken, events: 'Posted' } });
  expect(narrowed.body['webhook']).toMatchObject({ muse_id: ada.museId });
});

test('public events are sent as in the feed, optionally limited to one muse', async () => {
  const [ada, ben] = [await world.raw('Mona'), await world.raw('Nils')];
  await hooks.hooked(ada, { events: 'Posted', about: ben.museId });
  await hooks.hooked(ada, { events: 'Posted,mention' }, other);
  await ada.ok('post', { text: 'Nobody is named here.' });
  const post = textOf(await ben.post('post', { text: `Hello @${ada.museId}` }), 'id');
  const [narrowed] = await receiver.waitFor(1);
  expect(narrowed!.body).toMatchObject({
    type: 'Posted',
    data: { type: 'Posted', actor: ben.museId, data: { post: Number(post), text: { value: expect.any(String) } } },
  });
  const all = await other.waitFor(3);
  expect(all.map(({ body }) => body.type)).toEqual(['Posted', 'Posted', 'mention']);
  await pause(QUIET_MS);
  expect(receiver.messages).toHaveLength(1);
  for (const events of ['MessageSent', 'Nothing', 'message,WebhookCreated', ','])
    expect(await ada.post('webhook', { action: 'create', url: other.url, events })).toMatchObject({
      status: 400,
      body: { field: 'events' },
    });
});

test('job alerts and closings are sent to each affected muse', async () => {
  const [poster, worker] = [await world.raw('Olaf'), await world.raw('Pia')];
  await worker.ok('profile', { skills: 'frisian', job_alerts: 'true' });
  await hooks.hooked(worker, { events: 'job_alert,closed' });
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'frisian' };
  const role = textOf(await poster.post('job', job), 'role');
  expect((await receiver.waitFor(1))[0]!.body).toMatchObject({ type: 'job_alert', data: { role, title: 'A page' } });
  await worker.ok('apply', { role, note: 'Gladly.' });
  await poster.ok('close', { role });
  expect((await receiver.waitFor(2))[1]!.body).toMatchObject({ type: 'closed', data: { role } });
});

test('a text that was erased before its delivery is sent as null', async () => {
  const [ada, ben] = [await world.raw('Quin'), await world.raw('Rosa')];
  await ada.connect(ben);
  await hooks.hooked(ben, { events: 'message' });
  receiver.answer = () => ({ status: 500 });
  await ada.ok('message', { to: ben.museId, text: 'Between us' });
  expect((await receiver.waitFor(1))[0]!.body.data).toMatchObject({ text: 'Between us' });
  await stateBecomes(ben, 'failing');
  await ada.ok('forget', { confirm: ada.museId });
  receiver.answer = () => ({ status: 204 });
  await world.advance(6_000);
  const [, again] = await receiver.waitFor(2);
  expect(again!.body.data).toMatchObject({ kind: 'message', from: ada.museId, text: null });
});

test('a muse may have five webhooks, sees no others, and cannot use a private address', async () => {
  const [ada, ben] = [await world.raw('Vera'), await world.raw('Wim')];
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push((await hooks.hooked(ada)).id);
  const more = { action: 'create', url: receiver.url };
  expect(await ada.post('webhook', more)).toMatchObject({ status: 409, body: { code: 'too_many_webhooks' } });
  for (const action of ['test', 'rotate', 'replay', 'remove'])
    expect(await ben.post('webhook', { action, id: ids[0]!, after: LOG_START })).toMatchObject({
      status: 404,
      body: { code: 'not_found', field: 'id' },
    });
  await ada.ok('webhook', { action: 'remove', id: ids[0]! });
  await hooks.hooked(ada);
  const shown = await listed(ada);
  expect(shown.map(({ id }) => String(id)).slice(0, 4)).toEqual(ids.slice(1));
  expect(shown[0]).toEqual({
    id: expect.any(Number),
    url: receiver.url,
    events: expect.arrayContaining(['message', 'hired', 'webhook_stopped']),
    muse_id: null,
    state: 'active',
    created_at: expect.any(Number),
  });
  const pushed = { action: 'create', url: receiver.url, form: 'a2a' };
  expect(await ben.post('webhook', pushed)).toMatchObject({
    status: 400,
    body: { code: expect.stringMatching(/^(form|role)$/) },
  });
  for (const url of ['http://10.0.0.1/hooks', 'https://127.0.0.1/hooks', 'http://example.com/hooks', 'https://[::1]/'])
    expect(await ben.post('webhook', { action: 'create', url })).toMatchObject({ status: 400, body: { field: 'url' } });
  for (const [url, entry] of [
    ['http://localhost:4000/hooks', 'localhost:4000'],
    ['https://127.0.0.1/hooks', '127.0.0.1:443'],
  ] as const) {
    const hint = `In development, start the service with FETCH_ALLOW=${entry} to allow it.`;
    expect(await ben.post('webhook', { action: 'create', url })).toMatchObject({ status: 400, body: { hint } });
  }
});

test('a test message is sent at once and returns the status of the receiver', async () => {
  const ada = await world.raw('Xena');
  const { id } = await hooks.hooked(ada);
  expect((await ada.ok('webhook', { action: 'test', id })).body).toMatchObject({ delivered: true, status: 204 });
  expect(receiver.messages[0]!.body).toMatchObject({ type: 'test', data: { webhook: Number(id) } });
  receiver.answer = () => ({ status: 418 });
  expect((await ada.ok('webhook', { action: 'test', id })).body).toMatchObject({ delivered: false, status: 418 });
});

test('an a2a webhook needs a job of the caller, and a bearer token for secrets', async () => {
  const [ada, { headers, museId }] = [await world.raw('Agda'), await quickstart(world.url, { kind: 'publisher' })];
  const pushed = { action: 'create', form: 'a2a', url: receiver.url };
  const { role } = (await ada.ok('delegate', { task: 'Translate the manual into French.' })).body as {
    readonly role: string;
  };
  const byToken = (fields: object) => send(world.url, '/api/webhook', { body: { ...pushed, ...fields }, headers });
  expect(await byToken({ role })).toMatchObject({ status: 404, body: { code: 'not_found', field: 'role' } });
  expect(await byToken({ role: 'job-1' })).toMatchObject({ status: 404, body: { code: 'not_found', field: 'role' } });
  const secrets: SignableFields[] = [
    { notification_token: 'secret' },
    { auth_scheme: 'Bearer', auth_credentials: 'secret' },
  ];
  for (const secret of secrets)
    expect(await ada.post('webhook', { ...pushed, role, ...secret })).toMatchObject({
      status: 400,
      body: { code: Object.keys(secret).at(-1) },
    });
  expect(await ada.post('webhook', { ...pushed, role, auth_credentials: 'x' })).toMatchObject({ status: 400 });
  const standard = { action: 'create', url: receiver.url, config: 'x' };
  expect(await ada.post('webhook', standard)).toMatchObject({ status: 400, body: { code: 'config' } });
  const { body: made } = await ada.ok('webhook', { ...pushed, role, config: 'mine' });
  expect(made['webhook']).toMatchObject({ role, config: 'mine', state: 'active', muse_id: null });
  expect(made).not.toHaveProperty('secret');
  expect((await ada.ok('webhook', { action: 'list', form: 'a2a' })).body['webhooks']).toEqual([made['webhook']]);
  const { id } = made['webhook'] as { readonly id: number };
  for (const action of ['rotate', 'test'])
    expect(await ada.post('webhook', { action, id: String(id) })).toMatchObject({ status: 404 });
  const { vault } = world.service.stores;
  expect(await vault.list(`webhook/${museId}/`, 10)).toEqual([]);
  await ada.ok('webhook', { action: 'remove', form: 'a2a', id: String(id) });
  expect(await vault.list(`webhook/${ada.museId}/`, 10)).toEqual([]);
});

test('a repeated creation shows that the webhook was removed', async () => {
  const { headers } = await quickstart(world.url, { kind: 'publisher' });
  const callWebhook = (body: object, more: HeaderFields = {}) =>
    send(world.url, '/api/webhook', { body, headers: { ...headers, ...more } });
  const create = () => callWebhook({ action: 'create', url: receiver.url }, { 'idempotency-key': 'k'.repeat(32) });
  const made = (await create()).body['webhook'] as { readonly id: number };
  await callWebhook({ action: 'remove', id: made.id });
  const { status, body } = await create();
  expect([status, body]).toMatchObject([200, { webhook: { id: made.id, state: 'stopped', reason: 'removed' } }]);
  expect(body).not.toHaveProperty('secret');
});
