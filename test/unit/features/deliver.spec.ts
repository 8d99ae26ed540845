import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Payment } from '#libs/domain/payment.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { deliver } from '#libs/features/hires/deliver.js';
import { DeliveryReader } from '#libs/features/deliveries/delivery-reader.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { FetchOptions, SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
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
  test('starts with version 1 and names the parties', () => {
    const [fact] = given(Hire, world.hired()).when(by(WORKER)).thenTypes('Delivered');
    const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER };
    expect(fact!.data).toMatchObject({ ...parties, delivery: 1, url: sent.url, post: null, note: null });
  });

  test('normalizes the address by the URL standard', () => {
    const [fact] = given(Hire, world.hired())
      .when(by(WORKER, { url: 'https://FILES.example:443/a/../"b"' }))
      .thenTypes('Delivered');
    expect(fact!.data).toMatchObject({ url: 'https://files.example/%22b%22' });
  });

  test('again before the payment adds the next version', () => {
    const [fact] = given(Hire, world.hired(), world.delivered(1), world.deliveryRead(1))
      .when(by(WORKER, { note: 'Mended.' }))
      .thenTypes('Delivered');
    expect(fact!.data).toMatchObject({ delivery: 2, note: 'Mended.' });
  });

  test('accepts the worker’s own post instead of an address, while it exists', () => {
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

  test('is refused on a hire that does not exist', () => {
    given(Hire).when(by(WORKER)).thenRefused('not_found', 'hire');
  });

  test('is refused unless the worker delivers', () => {
    given(Hire, world.hired()).when(by(POSTER)).thenRefused('not_the_worker');
    given(Hire, world.hired()).when(by(STRANGER)).thenRefused('not_the_worker');
  });

  test('is refused on an ended hire', () => {
    given(Hire, world.hired(), world.hireEnded()).when(by(WORKER)).thenRefused('hire_ended');
  });

  test('is refused after acceptance, positive or not', () => {
    for (const positive of [true, false])
      given(Hire, world.hired(), world.delivered(), world.told('Accepted', { positive }))
        .when(by(WORKER))
        .thenRefused('already_accepted');
  });

  test('proves the skills of the role once, and never while the poster disputes', () => {
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

  test('is refused after payment', () => {
    given(Hire, world.hired(), world.delivered(), world.paid).when(by(WORKER)).thenRefused('already_paid');
  });
});

describe('delivering while a wage is pending', () => {
  const accepted = world.told('PaymentAccepted', { endpoint: 'pay', payment: WAGE });
  const ended = world.told('PaymentRefused', { payment: WAGE });
  const begun = [world.hired(), world.delivered(), world.wageStarted];
  const deliverWith = (payment: Fact[]) => by(WORKER, {}, { wage: stateOf(Payment, ...payment) });

  test('is refused as settlement_pending', () => {
    given(Hire, ...begun)
      .when(deliverWith([accepted]))
      .thenRefused('settlement_pending');
    given(Hire, ...begun)
      .when(deliverWith([accepted, world.told('PaymentSettled', { payment: WAGE })]))
      .thenRefused('settlement_pending');
  });

  test('works again if the payment ended without effect', () => {
    given(Hire, ...begun)
      .when(deliverWith([accepted, ended]))
      .thenTypes('Delivered');
    given(Hire, ...begun, world.delivered(2))
      .when(by(WORKER))
      .thenTypes('Delivered');
  });

  test('reads the pending payment and records it in based_on', async () => {
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

describe('the deliver command', () => {
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
    const said = world.told('Posted', { muse_id: WORKER, text: 'Für dich.' });
    const stream = Post.streamName(410_987_654_321);
    await stores.journal.append(stream, 'none', asEvents([said], stream));
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

  test('refuses a forbidden address before it writes anything', async () => {
    const { stores, run } = await readingStores();
    const delivering = run({ ...sent, url: 'http://files.example/page' }, stores.request(WORKER));
    expect(await refusalOf(delivering)).toMatchObject({ code: 'url', details: { field: 'url' } });
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired']);
  });
});
