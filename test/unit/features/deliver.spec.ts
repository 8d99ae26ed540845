import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Payment } from '#libs/domain/payment.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { deliver } from '#libs/features/deliveries/deliver.js';
import { DeliveryReader } from '#libs/features/deliveries/delivery-reader.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { FetchOptions, SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { asEvents, stateOf } from '../../given.js';
import { WAGE } from '../../vectors/payment-story.js';
import { refusalOf } from '../in-memory-stores.js';
import { decides, running, storesWithHire, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const sent = { hire: String(HIRE), url: 'https://files.example/page' };
const by = (actor: string, changed: object = {}, reads: object = {}) =>
  decides(deliver, { ...sent, ...changed }, actor, { reads, given: null });

const byPost = (post?: Post, changed: object = { url: undefined, post_id: '410987654321' }) =>
  by(WORKER, changed, { post });
const hired = [world.hired()];
const delivered = [...hired, world.delivered()];
const accepted = (positive: boolean) => [...delivered, world.told('Accepted', { positive })];
const own = [world.told('Posted', { muse_id: WORKER })];
const foreign = [world.told('Posted', { muse_id: POSTER })];
const deleted = PostDeleted({ post: 410_987_654_321, muse_id: WORKER, parent_id: null, board: null });

describe('delivering', () => {
  const untidy = by(WORKER, { url: 'https://FILES.example:443/a/../"b"' });
  testDecisions(Hire, { Delivered: { note: null } }, [
    ['starts with version 1 and names the parties', hired, by(WORKER), { Delivered: {} }],
    ['normalizes the address', hired, untidy, { Delivered: { url: 'https://files.example/%22b%22' } }],
    [
      'again before the payment adds the next version',
      [...delivered, world.deliveryRead(1)],
      by(WORKER, { note: 'Mended.' }),
      { Delivered: { delivery: 2, note: 'Mended.', proves: null } },
    ],
    [
      'accepts the worker’s own post',
      hired,
      byPost(stateOf(Post, ...own)),
      { Delivered: { url: null, post: 410_987_654_321 } },
    ],
  ]);

  testRefusals(Hire, [
    ['for the post of another muse', hired, byPost(stateOf(Post, ...foreign)), 'not_the_author', 'post_id'],
    ['for an unknown post', hired, byPost(stateOf(Post)), 'not_found', 'post_id'],
    ['for a deleted post', hired, byPost(stateOf(Post, ...own, deleted as Fact)), 'not_found', 'post_id'],
    ['with a post and an address', hired, byPost(undefined, { post_id: '410987654321' }), 'post_id', 'post_id'],
    ['without a post and an address', hired, byPost(undefined, { url: undefined }), 'url', 'url'],
    ['on a hire that does not exist', [], by(WORKER), 'not_found', 'hire'],
    ['to the poster', hired, by(POSTER), 'not_the_worker'],
    ['to a stranger', hired, by(STRANGER), 'not_the_worker'],
    ['on an ended hire', [...hired, world.hireEnded()], by(WORKER), 'hire_ended'],
    ['after a positive acceptance', accepted(true), by(WORKER), 'already_accepted'],
    ['after a negative acceptance', accepted(false), by(WORKER), 'already_accepted'],
    ['after payment', [...delivered, world.paid], by(WORKER), 'already_paid'],
  ]);
});

describe('the proof of the skills', () => {
  const disputed = (actor: string) => [...hired, world.disputed(actor)];
  const broke = [...delivered, world.rechecked({ result: 'broke' })];
  testDecisions(Hire, { Delivered: { note: null } }, [
    ['begins with a delivery', hired, by(WORKER), { Delivered: {} }],
    ['begins only once', delivered, by(WORKER), { Delivered: { delivery: 2, proves: null } }],
    ['does not begin while the poster disputes', disputed(POSTER), by(WORKER), { Delivered: { proves: null } }],
    ['begins while the worker disputes', disputed(WORKER), by(WORKER), { Delivered: {} }],
    ['does not begin again after a broken delivery', broke, by(WORKER), { Delivered: { delivery: 2, proves: null } }],
  ]);
});

describe('delivering while a wage is pending', () => {
  const payment = world.told('PaymentAccepted', { endpoint: 'pay', payment: WAGE });
  const ended = world.told('PaymentRefused', { payment: WAGE });
  const begun = [...delivered, world.wageStarted];
  const during = (...facts: Fact[]) => by(WORKER, {}, { wage: stateOf(Payment, payment, ...facts) });
  const settled = during(world.told('PaymentSettled', { payment: WAGE }));

  testDecisions(Hire, { Delivered: { note: null, proves: null } }, [
    ['works again if the payment ended without effect', begun, during(ended), { Delivered: { delivery: 2 } }],
    ['works again after a newer delivery', [...begun, world.delivered(2)], by(WORKER), { Delivered: { delivery: 3 } }],
  ]);

  testRefusals(Hire, [
    ['after the payment was accepted', begun, during(), 'settlement_pending'],
    ['until the wage is recorded', begun, settled, 'settlement_pending'],
  ]);

  test('reads the pending payment and records it in based_on', async () => {
    const stores = await storesWithHire(...begun);
    const stream = Payment.streamName(WAGE);
    await stores.append(stream, payment);
    const fetch = async () => ({ ok: false, reason: 'timeout' });
    const safeFetch = { fetch, checkUrl: () => null } as unknown as SafeFetch;
    const reader = new DeliveryReader(stores.commands, safeFetch);
    const run = running(deliver, stores, { reader, safeFetch });
    const request = stores.request(WORKER);
    expect(await refusalOf(run(sent, request))).toMatchObject({ code: 'settlement_pending' });
    await stores.journal.append(stream, 0, asEvents([payment, ended], stream).slice(1));
    await run(sent, request);
    const delivered = stores.log.of(Hire.streamName(HIRE)).findLast(({ type }) => type === 'Delivered');
    expect(delivered!.based_on).toEqual({ [stream]: 1, [Muse.streamName(WORKER)]: 1 });
  });
});

describe('the deliver command', () => {
  async function readingStores(content: object = { ok: true, digest: sha256Hex('bonjour'), bytes: 7 }) {
    const stores = await storesWithHire(...hired);
    let fetched = 0;
    const accounts: (string | undefined)[] = [];
    const fetch = async (_url: string, { account }: FetchOptions) => {
      fetched += 1;
      accounts.push(account);
      return content;
    };
    const checkUrl = (url: string) => (url.startsWith('https://') ? null : { reason: 'not_https' });
    const safeFetch = { fetch, checkUrl } as unknown as SafeFetch;
    const reader = new DeliveryReader(stores.commands, safeFetch);
    const run = running(deliver, stores, { reader, safeFetch });
    return { stores, run, reader, accounts, fetched: () => fetched };
  }

  test('reads the delivery and records its digest', async () => {
    const { stores, run } = await readingStores();
    const { body } = await run(sent, stores.request(WORKER));
    expect(body).toMatchObject({ hire: HIRE, settlement: 'delivered', digest: sha256Hex('bonjour') });
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'Delivered', 'DeliveryRead']);
  });

  test('counts the read on the account of the worker', async () => {
    const { stores, run, accounts } = await readingStores();
    await run(sent, stores.request(WORKER));
    expect(accounts).toEqual([WORKER]);
  });

  test('reads a post from its stream without a network request', async () => {
    const { stores, run, fetched } = await readingStores();
    const post = world.told('Posted', { muse_id: WORKER, text: 'Für dich.' });
    const stream = Post.streamName(410_987_654_321);
    await stores.append(stream, post);
    const { body } = await run({ hire: String(HIRE), post_id: '410987654321' }, stores.request(WORKER));
    expect(body).toMatchObject({ digest: sha256Hex('Für dich.') });
    expect(stores.log.events.at(-1)!.data).toMatchObject({ bytes: 10, reason: null });
    expect(fetched()).toBe(0);
  });

  test('delivers and reads once for a repeated request', async () => {
    const { stores, run, fetched } = await readingStores();
    const request = stores.request(WORKER);
    const first = await run(sent, request);
    expect(await run(sent, request)).toEqual(first);
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'Delivered', 'DeliveryRead']);
    expect(fetched()).toBe(1);
  });

  test('shares one read between two concurrent readers', async () => {
    const { stores, run, reader, fetched } = await readingStores();
    await run(sent, stores.request(WORKER));
    const again = { ...asEvents([world.delivered(2)], Hire.streamName(HIRE))[0]!, id: 'another-delivery' };
    const readings = await Promise.all([reader.read(again as never), reader.read(again as never)]);
    expect(readings[0]).toBe(readings[1]);
    expect(fetched()).toBe(2);
  });

  test('delivers without a digest if the address cannot be read', async () => {
    const { stores, run } = await readingStores({ ok: false, reason: 'timeout' });
    expect((await run(sent, stores.request(WORKER))).body).toMatchObject({ digest: null });
    expect(stores.log.events.at(-1)!.data).toMatchObject({ digest: null, reason: 'timeout', bytes: 0 });
  });

  test('the deliver command refuses a forbidden address before it writes anything', async () => {
    const { stores, run } = await readingStores();
    const delivering = run({ ...sent, url: 'http://files.example/page' }, stores.request(WORKER));
    expect(await refusalOf(delivering)).toMatchObject({ code: 'url', details: { field: 'url' } });
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired']);
  });
});
