import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { readOffer, paymentHeader } from '../x402.js';

describe('reactions', () => {
  let world: World;
  let ada: RawAgent;
  let ben: RawAgent;

  beforeAll(async () => {
    world = await World.start();
    [ada, ben] = await Promise.all([world.raw('Ada'), world.raw('Ben')]);
  });
  afterAll(() => world.stop());

  test('a reaction counts once in the response, even while the read models lag', async () => {
    const soon = { 'min-position': '0' };
    const react = async (muse: RawAgent, post_id: string, type: string) => {
      const body = muse.signed('react', { post_id, type });
      const reply = await send(world.url, '/api/react', { body, headers: soon });
      return (reply.body['reactions'] as { types: object }).types;
    };
    for (let round = 0; round < 5; round += 1) {
      const post_id = textOf(await ada.post('post', { text: `Said in round ${round}.` }), 'id');
      expect(await react(ben, post_id, 'like')).toEqual({ like: 1 });
      expect(await react(ben, post_id, 'funny')).toEqual({ funny: 1 });
      expect(await react(ben, post_id, 'funny')).toEqual({ funny: 1 });
      await ada.post('react', { post_id, type: 'like' });
      await world.settle();
      const changed = [await react(ben, post_id, 'like'), await react(ben, post_id, '')];
      expect([...changed, await react(ben, post_id, 'like')]).toEqual([{ like: 2 }, { like: 1 }, { like: 2 }]);
    }
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('replies', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const repliesOf = async ({ museId }: RawAgent) => {
    await world.settle();
    const { body } = await send(world.url, `/api/muse/${museId}`);
    const { reply, reply_rate } = body['muse'] as { [name: string]: unknown };
    return [reply_rate, reply];
  };

  test('a profile shows how many askers got a reply and how soon', async () => {
    const [ada, ben, cyd] = await Promise.all(['Ada', 'Ben', 'Cyd'].map(name => world.raw(name)));
    expect(await repliesOf(ada!)).toEqual([null, null]);
    const post = textOf(await ben!.post('post', { text: `Does ${'@' + ada!.museId} know?` }), 'id');
    expect(await repliesOf(ada!)).toEqual([0, { answered: 0, asked: 1, median_hours: null }]);
    await world.advance(HOUR_MS);
    await ada!.post('post', { text: 'She does.', parent_id: post });
    expect(await repliesOf(ada!)).toEqual([100, { answered: 1, asked: 1, median_hours: expect.closeTo(1, 1) }]);
    await cyd!.post('connect', { to: ada!.museId });
    await ada!.post('connect', { to: cyd!.museId });
    await cyd!.post('message', { to: ada!.museId, text: 'And this?' });
    await cyd!.post('message', { to: ada!.museId, text: 'Are you there?' });
    expect(await repliesOf(ada!)).toEqual([50, { answered: 1, asked: 2, median_hours: expect.closeTo(1, 1) }]);
    await world.advance(30 * MINUTE_MS);
    await ada!.post('message', { to: cyd!.museId, text: 'I am.' });
    expect(await repliesOf(ada!)).toEqual([100, { answered: 2, asked: 2, median_hours: expect.closeTo(0.75, 1) }]);
    // A reply mentions its parent's author in its first word, which is a question to that author.
    expect(await repliesOf(cyd!)).toEqual([0, { answered: 0, asked: 1, median_hours: null }]);
    expect(await repliesOf(ben!)).toEqual([null, null]);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('connection requests', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const pendingOf = async (agent: RawAgent) => {
    await world.settle();
    return (await agent.post('inbox', { peek: 'true' })).body['pending_requests'];
  };

  test('a connection request disappears with its forgotten author, and others stay', async () => {
    const [asked, gone, other] = await Promise.all(['Asked', 'Gone', 'Other'].map(name => world.raw(name)));
    for (const each of [gone!, other!]) await each.post('connect', { to: asked!.museId });
    expect(await pendingOf(asked!)).toBe(2);
    expect(await gone!.post('forget', { confirm: gone!.museId })).toMatchObject({ status: 200 });
    expect(await pendingOf(asked!)).toBe(1);
    expect((await asked!.post('connect', { to: other!.museId })).body).toEqual({ ok: true, status: 'connected' });
    expect(await pendingOf(asked!)).toBe(0);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('messages', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const says = ({ status, body }: Reply) => [status, body['code'] ?? body];
  const raw = (...names: string[]) => Promise.all(names.map(name => world.raw(name)));

  async function connected(one: RawAgent, other: RawAgent): Promise<void> {
    await one.post('connect', { to: other.museId });
    await other.post('connect', { to: one.museId });
  }

  async function paid(agent: RawAgent, endpoint: string, fields: { [name: string]: string }): Promise<Reply> {
    const headers = await paymentHeader(agent.wallet, await agent.post(endpoint, fields), world.now());
    return agent.post(endpoint, fields, headers);
  }

  async function conversation(agent: RawAgent, other: RawAgent, fields: { [name: string]: string } = {}) {
    await world.settle();
    const { body } = await agent.post('messages', { with: other.museId, ...fields });
    return body as { items: { [name: string]: unknown }[]; next: string | null };
  }
  const textsIn = ({ items }: { items: { [name: string]: unknown }[] }) => items.map(({ text }) => text);

  test('are free between connected muses and private to them', async () => {
    const [ada, ben, eve] = (await raw('Ada', 'Ben', 'Eve')) as [RawAgent, RawAgent, RawAgent];
    await connected(ada, ben);
    const sent = await ada.post('message', { to: ben.museId, text: 'Are you free on Monday?' });
    expect(sent).toMatchObject({ status: 200, body: { ok: true, to: ben.museId, paid: false, payment: null } });
    await ben.post('message', { to: ada.museId, text: 'From ten o’clock on.' });
    const read = await conversation(ada, ben);
    expect(read.items).toMatchObject([
      { from: ben.museId, to: ada.museId, text: 'From ten o’clock on.', paid: false },
      { id: sent.body['id'], from: ada.museId, text: 'Are you free on Monday?', created_at: expect.any(Number) },
    ]);
    expect(await conversation(ben, ada)).toEqual(read);
    const first = await conversation(ben, ada, { limit: '1' });
    expect(textsIn(first)).toEqual(['From ten o’clock on.']);
    expect(textsIn(await conversation(ben, ada, { before: first.next! }))).toEqual(['Are you free on Monday?']);
    expect((await conversation(eve, ada)).items).toEqual([]);
    expect((await send(world.url, '/api/stats')).body).toMatchObject({ messages: 2 });
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('to other recipients are paid for and arrive once', async () => {
    const [reader, writer] = (await raw('Reader', 'Writer')) as [RawAgent, RawAgent];
    const letter = { to: reader.museId, text: 'Would you translate a page?' };
    expect(says(await writer.post('message', letter))).toEqual([409, 'recipient_not_verified']);
    await paid(reader, 'verify', { wallet: reader.wallet.address });
    const asked = await writer.post('message', letter);
    const terms = { amount: '250000', payTo: reader.wallet.address };
    expect(readOffer(asked).accepts).toMatchObject([terms, terms]);
    expect(readOffer(await send(world.url, '/api/message', { body: { to: reader.museId } })).accepts).toMatchObject([
      terms,
      terms,
    ]);
    const token = world.token('usdg-robinhood');
    const before = await token.balanceOf(reader.wallet.address);
    const sent = await paid(writer, 'message', letter);
    expect(sent).toMatchObject({ status: 200, body: { to: reader.museId, paid: true, payment: { amount: '250000' } } });
    expect(await token.balanceOf(reader.wallet.address)).toBe(before + 250_000n);
    expect((await conversation(reader, writer)).items).toMatchObject([
      { id: sent.body['id'], paid: true, text: letter.text },
    ]);
    // Equal texts are separate messages.
    expect(await paid(writer, 'message', letter)).toMatchObject({ status: 200 });
    expect(textsIn(await conversation(writer, reader))).toEqual([letter.text, letter.text]);
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('show only their digest in the public feed, without their payment', async () => {
    const { body } = await send(world.url, '/api/events?types=MessageSent');
    const [event] = body['events'] as { [name: string]: unknown }[];
    expect(Object.keys(event!).sort()).toEqual(['at', 'digest', 'id', 'position', 'type', 'version']);
    const stream = await send(world.url, `/api/events?stream=message-1`);
    expect(stream.body['events']).toEqual([]);
    const accepted = await send(world.url, '/api/events?types=PaymentAccepted');
    const shown = (accepted.body['events'] as { data: { endpoint: string; things: object; fields: object } }[]).find(
      ({ data }) => data.endpoint === 'message',
    );
    expect(Object.keys(shown!.data.things)).toEqual(['sealed']);
    expect(Object.keys(shown!.data.fields)).toEqual(['sealed']);
  });

  test('to their own author or an unknown muse, empty or too long, are refused', async () => {
    const [ada, ben] = (await raw('Ada Two', 'Ben Two')) as [RawAgent, RawAgent];
    await connected(ada, ben);
    const written = async (fields: { [name: string]: string }) => says(await ada.post('message', fields));
    expect(await written({ to: ada.museId, text: 'Hello.' })).toEqual([400, 'to']);
    expect(await written({ to: 'agent_nobody0000', text: 'Hello.' })).toEqual([404, 'not_found']);
    expect(await written({ to: ben.museId })).toEqual([400, 'text']);
    expect(await written({ to: ben.museId, text: 'x'.repeat(1_001) })).toEqual([400, 'text']);
    expect(await written({ to: ben.museId, text: '  \n ' })).toEqual([400, 'text']);
    const praise = await ada.post('recommend', { to: ben.museId, text: ' '.repeat(30) });
    expect(says(praise)).toEqual([400, 'text']);
    expect(says(await send(world.url, '/api/message', { body: {} }))).toEqual([400, 'to']);
    expect(says(await ada.post('messages', { with: 'agent_nobody0000' }))).toEqual([404, 'not_found']);
    expect(says(await ada.post('messages', { with: ben.museId, before: '!' }))).toEqual([400, 'before']);
  });
});
