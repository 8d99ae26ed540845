import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Payment } from '#libs/domain/payment.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { deliver } from '#libs/features/hires/deliver.js';
import { DeliveryReader } from '#libs/features/deliveries/delivery-reader.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { FetchOptions } from '#libs/platform/safe-fetch/options.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { asEvents, given, integers, stateOf } from '../../given.js';
import { WAGE } from '../../vectors/payment-story.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import { storesWithHire } from './hires.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;
const sent = { hire: String(HIRE), url: 'https://files.example/page' };
const by = (actor: string, changed: object = {}, reads: object = {}) =>
  decides(deliver, { ...sent, ...changed }, actor, { reads, given: null });

describe('delivering', () => {
  test('the first delivery is version 1 and names the parties', () => {
    const [fact] = given(Hire, world.hired()).when(by(WORKER)).thenTypes('Delivered');
    const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER };
    expect(fact!.data).toMatchObject({ ...parties, delivery: 1, url: sent.url, post: null, note: null });
  });

  test('an address is delivered as the URL standard writes it', () => {
    const [fact] = given(Hire, world.hired())
      .when(by(WORKER, { url: 'https://FILES.example:443/a/../"b"' }))
      .thenTypes('Delivered');
    expect(fact!.data).toMatchObject({ url: 'https://files.example/%22b%22' });
  });

  test('a delivery may be repeated until it is paid, each time as the next version', () => {
    const [fact] = given(Hire, world.hired(), world.delivered(1), world.deliveryRead(1))
      .when(by(WORKER, { note: 'Mended.' }))
      .thenTypes('Delivered');
    expect(fact!.data).toMatchObject({ delivery: 2, note: 'Mended.' });
  });

  test('a post of one’s own is delivered instead of an address, while it is there', () => {
    const own = stateOf(Post, world.told('Posted', { muse_id: WORKER }));
    const delivers = (post: Post | undefined, sends: object = { url: undefined, post_id: '410987654321' }) =>
      given(Hire, world.hired()).when(by(WORKER, sends, { post }));
    const [fact] = delivers(own).thenTypes('Delivered');
    expect(fact!.data).toMatchObject({ url: null, post: 410_987_654_321 });
    delivers(stateOf(Post, world.told('Posted', { muse_id: POSTER }))).thenRefused('not_the_author', 'post_id');
    delivers(stateOf(Post)).thenRefused('not_found', 'post_id');
    const gone = PostDeleted({ post: 410_987_654_321, muse_id: WORKER, parent_id: null, board: null });
    delivers(stateOf(Post, world.told('Posted', { muse_id: WORKER }), gone)).thenRefused('not_found', 'post_id');
    delivers(own, { post_id: '410987654321' }).thenRefused('post_id', 'post_id');
    delivers(undefined, { url: undefined }).thenRefused('url', 'url');
  });

  test('nothing is delivered on a hire that does not exist', () => {
    given(Hire).when(by(WORKER)).thenRefused('not_found', 'hire');
  });

  test('only the worker of a hire delivers', () => {
    given(Hire, world.hired()).when(by(POSTER)).thenRefused('not_the_worker');
    given(Hire, world.hired()).when(by(STRANGER)).thenRefused('not_the_worker');
  });

  test('nothing is delivered on a hire that was ended', () => {
    given(Hire, world.hired(), world.hireEnded()).when(by(WORKER)).thenRefused('hire_ended');
  });

  test('what was delivered stands once it is accepted, in whatever words', () => {
    for (const positive of [true, false])
      given(Hire, world.hired(), world.delivered(), world.told('Accepted', { positive }))
        .when(by(WORKER))
        .thenRefused('already_accepted');
  });

  test('proves the skills of the role once, and none while the poster disputes the hire', () => {
    const proves = (...before: Fact[]) =>
      given(Hire, ...before)
        .when(by(WORKER))
        .thenTypes('Delivered')[0]!.data;
    expect(proves(world.hired())).toMatchObject({ skills: ['french'], proves: true });
    expect(proves(world.hired(), world.delivered())).toMatchObject({ proves: null });
    expect(proves(world.hired(), world.disputed(POSTER))).toMatchObject({ proves: null });
    expect(proves(world.hired(), world.disputed(WORKER))).toMatchObject({ proves: true });
    const broke = world.rechecked({ result: 'broke' });
    expect(proves(world.hired(), world.delivered(), broke)).toMatchObject({ proves: true });
  });

  test('what was delivered stands once it is paid', () => {
    given(Hire, world.hired(), world.delivered(), world.paid).when(by(WORKER)).thenRefused('already_paid');
  });
});

describe('while a wage is under way', () => {
  const accepted = world.told('PaymentAccepted', { endpoint: 'pay', payment: WAGE });
  const ended = world.told('PaymentRefused', { payment: WAGE });
  const begun = [world.hired(), world.delivered(), world.wageStarted];
  const deliverWith = (payment: Fact[]) => by(WORKER, {}, { wage: stateOf(Payment, ...payment) });

  test('what it is paid for stays the latest delivery', () => {
    given(Hire, ...begun)
      .when(deliverWith([accepted]))
      .thenRefused('settlement_pending');
    given(Hire, ...begun)
      .when(deliverWith([accepted, world.told('PaymentSettled', { payment: WAGE })]))
      .thenRefused('settlement_pending');
  });

  test('a wage whose payment ended without effect blocks nothing', () => {
    given(Hire, ...begun)
      .when(deliverWith([accepted, ended]))
      .thenTypes('Delivered');
    given(Hire, ...begun, world.delivered(2))
      .when(by(WORKER))
      .thenTypes('Delivered');
  });

  test('the payment that it waits for is read, and stands in based_on', async () => {
    const stores = await storesWithHire(...begun);
    const stream = Payment.streamName(WAGE);
    await stores.journal.append(stream, 'none', asEvents([accepted], stream));
    const fetch = async () => ({ ok: false, reason: 'timeout' });
    const safeFetch = { fetch, checkUrl: () => null } as unknown as SafeFetch;
    const reader = new DeliveryReader(stores.journal, safeFetch, stores.clock, integers);
    const run = running(deliver, stores, { reader, safeFetch });
    const request = stores.request(WORKER);
    expect(await refusalOf(run(sent, request))).toMatchObject({ code: 'settlement_pending' });
    await stores.journal.append(stream, 0, asEvents([accepted, ended], stream).slice(1));
    await run(sent, request);
    const delivered = stores.log.of(Hire.streamName(HIRE)).findLast(({ type }) => type === 'Delivered');
    expect(delivered!.based_on).toEqual({ [stream]: 1 });
  });
});

describe('the verb', () => {
  async function readingStores(found: object = { ok: true, digest: sha256Hex('bonjour'), bytes: 7 }) {
    const stores = new InMemoryStores();
    await stores.journal.append(Hire.streamName(HIRE), 'none', asEvents([world.hired()], Hire.streamName(HIRE)));
    let fetched = 0;
    const accounts: (string | undefined)[] = [];
    const fetch = async (_url: string, { account }: FetchOptions) => {
      fetched += 1;
      accounts.push(account);
      return found;
    };
    const checkUrl = (url: string) => (url.startsWith('https://') ? null : { reason: 'not_https' });
    const safeFetch = { fetch, checkUrl } as unknown as SafeFetch;
    const reader = new DeliveryReader(stores.journal, safeFetch, stores.clock, integers);
    const run = running(deliver, stores, { reader, safeFetch });
    return { stores, run, reader, accounts, fetched: () => fetched };
  }

  test('the service reads what was delivered and keeps its digest', async () => {
    const { stores, run } = await readingStores();
    const { body } = await run(sent, stores.request(WORKER));
    expect(body).toMatchObject({ hire: HIRE, settlement: 'delivered', digest: sha256Hex('bonjour') });
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'Delivered', 'DeliveryRead']);
  });

  test('what is read is on the worker’s account', async () => {
    const { stores, run, accounts } = await readingStores();
    await run(sent, stores.request(WORKER));
    expect(accounts).toEqual([WORKER]);
  });

  test('what a post says is read from its stream, without asking anybody', async () => {
    const { stores, run, fetched } = await readingStores();
    const said = world.told('Posted', { muse_id: WORKER, text: 'Für dich.' });
    const stream = Post.streamName(410_987_654_321);
    await stores.journal.append(stream, 'none', asEvents([said], stream));
    const { body } = await run({ hire: String(HIRE), post_id: '410987654321' }, stores.request(WORKER));
    expect(body).toMatchObject({ digest: sha256Hex('Für dich.') });
    expect(stores.log.events.at(-1)!.data).toMatchObject({ bytes: 10, reason: null });
    expect(fetched()).toBe(0);
  });

  test('the same request twice delivers once, reads once and answers the same', async () => {
    const { stores, run, fetched } = await readingStores();
    const request = stores.request(WORKER);
    const first = await run(sent, request);
    expect(await run(sent, request)).toEqual(first);
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'Delivered', 'DeliveryRead']);
    expect(fetched()).toBe(1);
  });

  test('two that ask for one reading at once wait for the same one', async () => {
    const { stores, run, reader, fetched } = await readingStores();
    await run(sent, stores.request(WORKER));
    const again = { ...asEvents([world.delivered(2)], Hire.streamName(HIRE))[0]!, id: 'another-delivery' };
    const readings = await Promise.all([reader.read(again as never), reader.read(again as never)]);
    expect(readings[0]).toBe(readings[1]);
    expect(fetched()).toBe(2);
  });

  test('a delivery that cannot be read is delivered with no digest', async () => {
    const { stores, run } = await readingStores({ ok: false, reason: 'timeout' });
    expect((await run(sent, stores.request(WORKER))).body).toMatchObject({ digest: null });
    expect(stores.log.events.at(-1)!.data).toMatchObject({ digest: null, reason: 'timeout', bytes: 0 });
  });

  test('an address that the service may not read is refused before anything is written', async () => {
    const { stores, run } = await readingStores();
    const delivering = run({ ...sent, url: 'http://files.example/page' }, stores.request(WORKER));
    expect(await refusalOf(delivering)).toMatchObject({ code: 'url', details: { field: 'url' } });
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired']);
  });
});
