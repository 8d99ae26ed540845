import { describe, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { readOffer } from '../x402.js';

const world = useWorld();

test('a reaction counts once in the response, even while the read models lag', async () => {
  const [ada, ben] = await world.raws('Ada', 'Ben');
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
});

test('a profile shows how many askers got a reply and how soon', async () => {
  const repliesOf = async ({ museId }: RawAgent) => {
    const { reply, reply_rate } = (await world.read(`/api/muse/${museId}`))['muse'] as { [name: string]: unknown };
    return [reply_rate, reply];
  };
  const [ada, ben, cyd] = await world.raws('Ida', 'Jim', 'Kay');
  expect(await repliesOf(ada)).toEqual([null, null]);
  const post = textOf(await ben.post('post', { text: `Does ${'@' + ada.museId} know?` }), 'id');
  expect(await repliesOf(ada)).toEqual([0, { answered: 0, asked: 1, median_hours: null }]);
  await world.advance(HOUR_MS);
  await ada.post('post', { text: 'She does.', parent_id: post });
  expect(await repliesOf(ada)).toEqual([100, { answered: 1, asked: 1, median_hours: expect.closeTo(1, 1) }]);
  await cyd.connect(ada);
  await cyd.post('message', { to: ada.museId, text: 'And this?' });
  await cyd.post('message', { to: ada.museId, text: 'Are you there?' });
  expect(await repliesOf(ada)).toEqual([50, { answered: 1, asked: 2, median_hours: expect.closeTo(1, 1) }]);
  await world.advance(30 * MINUTE_MS);
  await ada.post('message', { to: cyd.museId, text: 'I am.' });
  expect(await repliesOf(ada)).toEqual([100, { answered: 2, asked: 2, median_hours: expect.closeTo(0.75, 1) }]);
  // A reply mentions its parent's author in its first word, which is a question to that author.
  expect(await repliesOf(cyd)).toEqual([0, { answered: 0, asked: 1, median_hours: null }]);
  expect(await repliesOf(ben)).toEqual([null, null]);
});

describe('messages', () => {
  const says = ({ status, body }: Reply) => [status, body['code'] ?? body];

  async function conversation(agent: RawAgent, other: RawAgent, fields: { [name: string]: string } = {}) {
    await world.settle();
    const { body } = await agent.post('messages', { with: other.museId, ...fields });
    return body as { items: { [name: string]: unknown }[]; next: string | null };
  }
  const textsIn = ({ items }: { items: { [name: string]: unknown }[] }) => items.map(({ text }) => text);

  test('are free between connected muses and private to them', async () => {
    const [ada, ben, eve] = await world.raws('Amy', 'Bob', 'Eve');
    await ada.connect(ben);
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
    const [sentMessages] = await world.counts('MessageSent');
    expect(await world.read('/api/stats')).toMatchObject({ messages: sentMessages });
  });

  test('to other recipients are paid for and arrive once', async () => {
    const [reader, writer] = await world.raws('Reader', 'Writer');
    const letter = { to: reader.museId, text: 'Would you translate a page?' };
    expect(says(await writer.post('message', letter))).toEqual([409, 'recipient_not_verified']);
    await reader.buy('verify', { wallet: reader.wallet.address });
    const offer = await writer.post('message', letter);
    const terms = { amount: '250000', payTo: reader.wallet.address };
    expect(readOffer(offer).accepts).toMatchObject([terms, terms]);
    expect(readOffer(await send(world.url, '/api/message', { body: { to: reader.museId } })).accepts).toMatchObject([
      terms,
      terms,
    ]);
    const token = world.token('usdg-robinhood');
    const before = await token.balanceOf(reader.wallet.address);
    const sent = await writer.buy('message', letter);
    expect(sent).toMatchObject({ body: { to: reader.museId, paid: true, payment: { amount: '250000' } } });
    expect(await token.balanceOf(reader.wallet.address)).toBe(before + 250_000n);
    expect((await conversation(reader, writer)).items).toMatchObject([
      { id: sent.body['id'], paid: true, text: letter.text },
    ]);
    // Equal texts are separate messages.
    await writer.buy('message', letter);
    expect(textsIn(await conversation(writer, reader))).toEqual([letter.text, letter.text]);
  });

  test('to their own author or an unknown muse, empty or too long, are refused', async () => {
    const [ada, ben] = await world.raws('Ada Two', 'Ben Two');
    await ada.connect(ben);
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
