import { describe, expect, test } from '@jest/globals';
import type { ClaimSubject } from '#libs/claims/claim-streams.js';
import { Claims, UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import { Muse, ProfileUpdated, Registered } from '#libs/domain/muse.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { asEvents } from '../given.js';
import { InMemoryStores, refusalOf, register, registeredAs } from './in-memory-stores.js';

const ONE = 'agent_one0000000';
const TWO = 'agent_two0000000';
const NAME: ClaimSubject = { kind: 'name', value: 'ada' };
const OF_ONE = { data: { owner: Muse.streamName(ONE) } };

const finishing = (context: CommandContext, museId: string) => ({
  owner: Muse.streamName(museId),
  finishes: { event: deriveEventId(context.requestKey, Muse.streamName(museId), Registered.type, 0) },
});

const take = (stores: InMemoryStores, museId: string, context = stores.request(museId)) =>
  stores.claims.acquire(NAME, finishing(context, museId), context);

test('the stream name of a claim does not reveal the claimed name', async () => {
  const stores = new InMemoryStores();
  await register(stores, ONE, 'Ada');
  expect(stores.log.events[0]!.stream).toMatch(/^claim-name-[0-9a-f]{64}$/);
  expect(JSON.stringify(stores.log.events).toLowerCase()).not.toContain('ada');
});

describe('registrations of one name', () => {
  test('let one of two concurrent muses succeed', async () => {
    const stores = new InMemoryStores();
    const outcomes = await Promise.allSettled([register(stores, ONE, 'Ada'), register(stores, TWO, 'ADA')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'name_taken' } });
    expect(stores.log.events.filter(({ type }) => type === 'Registered')).toHaveLength(1);
  });

  test('let exactly one of twenty concurrent muses succeed', async () => {
    const stores = new InMemoryStores();
    const ids = Array.from({ length: 20 }, (_, n) => `agent_${String(n).padStart(10, '0')}`);
    const outcomes = await Promise.allSettled(ids.map(id => register(stores, id, 'Ada')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('keep the name with the first muse forever', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'Ada');
    stores.clock.advance(1_000 * UNFINISHED_CLAIM_MS);
    expect(await refusalOf(register(stores, TWO, 'Ada'))).toMatchObject({ code: 'name_taken' });
  });
});

describe('an unfinished claim', () => {
  async function sleeping() {
    const stores = new InMemoryStores();
    const context = stores.request(ONE);
    await take(stores, ONE, context);
    return { stores, context };
  }

  test('is returned to its claimant without a second event', async () => {
    const { stores, context } = await sleeping();
    expect(await take(stores, ONE, context)).toBeNull();
    expect(stores.log.events).toHaveLength(1);
  });

  test('holds for thirty seconds and not a millisecond longer', async () => {
    const { stores } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS - 1);
    expect(await stores.claims.findValid(NAME, null)).not.toBeNull();
    const other = stores.request(TWO);
    expect(await take(stores, TWO, other)).toMatchObject(OF_ONE);
    stores.clock.advance(1);
    expect(await stores.claims.findValid(NAME, null)).toBeNull();
    expect(await take(stores, TWO, other)).toBeNull();
  });

  test('is fenced in the stream of its owner before another muse takes it', async () => {
    const { stores } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    await take(stores, TWO);
    const claim = stores.log.events[0]!;
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost']);
    expect(stores.log.of(Muse.streamName(ONE))[0]!.data).toEqual({ claim: claim.id });
    expect(stores.types(claim.stream)).toEqual(['Claimed', 'Claimed']);
  });

  test('blocks other muses, but its own muse can take it again without a fence', async () => {
    const { stores } = await sleeping();
    expect(await stores.claims.findValid(NAME, Muse.streamName(TWO))).not.toBeNull();
    expect(await stores.claims.findValid(NAME, Muse.streamName(ONE))).toBeNull();
    expect(await take(stores, ONE)).toBeNull();
    expect(stores.types(stores.log.events[0]!.stream)).toEqual(['Claimed', 'Claimed']);
    expect(stores.types(Muse.streamName(ONE))).toEqual([]);
    expect(await take(stores, TWO)).toMatchObject(OF_ONE);
  });

  test('is unavailable after another muse took it, until that claim ends too', async () => {
    const { stores, context } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    await take(stores, TWO);
    const mine = await take(stores, ONE, context);
    expect(mine).toMatchObject({ data: { owner: Muse.streamName(TWO) } });
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    expect(await take(stores, ONE, context)).toBeNull();
  });

  test('is lost during a long pause: the command retries and finds the name taken', async () => {
    const stores = new InMemoryStores();
    let slept = false;
    const oversleep = async () => {
      if (slept) return;
      slept = true;
      stores.clock.advance(UNFINISHED_CLAIM_MS);
      await register(stores, TWO, 'Ada');
    };
    expect(await refusalOf(register(stores, ONE, 'Ada', oversleep))).toMatchObject({ code: 'name_taken' });
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost']);
    expect(stores.types(Muse.streamName(TWO))).toEqual(['Registered']);
  });

  test('is taken again after a long pause if the other muse did not finish', async () => {
    const stores = new InMemoryStores();
    let slept = false;
    const oversleep = async () => {
      if (slept) return;
      slept = true;
      stores.clock.advance(UNFINISHED_CLAIM_MS);
      await take(stores, TWO);
      stores.clock.advance(UNFINISHED_CLAIM_MS);
    };
    await register(stores, ONE, 'Ada', oversleep);
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost', 'Registered']);
  });

  test('an unfinished claim holds if its owner finishes before the fence is written', async () => {
    const { stores, context } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    const load = stores.journal.load.bind(stores.journal);
    let looks = 0;
    stores.journal.load = async wanted => {
      if (wanted.stream === Muse.streamName(ONE) && (looks += 1) === 2) {
        const [event] = asEvents([registeredAs(ONE, 'Ada')], Muse.streamName(ONE));
        await stores.journal.append(Muse.streamName(ONE), 'none', [
          { ...event!, id: finishing(context, ONE).finishes.event },
        ]);
      }
      return load(wanted);
    };
    expect(await take(stores, TWO)).toMatchObject(OF_ONE);
    expect(stores.types(Muse.streamName(ONE))).toEqual(['Registered']);
  });

  test('can be replaced by a new claim if the process died after the fence', async () => {
    const { stores, context } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    stores.log.faults.plan('append', null, 'lost');
    await expect(take(stores, TWO)).rejects.toThrow('cannot be reached');
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost']);
    expect(await take(stores, ONE, context)).toBeNull();
    expect(stores.types(stores.streams.of(NAME))).toEqual(['Claimed', 'Claimed']);
  });

  test('an unfinished claim holds if its owner writes while the fence is appended', async () => {
    const { stores, context } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    const append = stores.journal.append.bind(stores.journal);
    stores.journal.append = async (stream, expected) => {
      stores.journal.append = append;
      await append(Muse.streamName(ONE), 'none', [
        {
          ...asEvents([registeredAs(ONE, 'Ada')], Muse.streamName(ONE))[0]!,
          id: finishing(context, ONE).finishes.event,
        },
      ]);
      throw new RevisionConflict(stream, expected);
    };
    expect(await take(stores, TWO)).toMatchObject(OF_ONE);
  });
});

describe('a finished claim', () => {
  test('is free once its owner no longer holds the value', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'Ada');
    await stores.journal.append(Muse.streamName(ONE), 0, [
      { ...asEvents([ProfileUpdated({ muse_id: ONE, name: 'Bob' })], Muse.streamName(ONE))[0]!, id: 'renamed' },
    ]);
    const { at } = stores.log.of(Muse.streamName(ONE)).at(-1)!;
    // The former name is reserved, and the time of the request decides for how long.
    const validAt = (time: number) => stores.claims.findValid(NAME, null, undefined, time);
    expect(await validAt(at + 30 * DAY_MS - 1)).toMatchObject(OF_ONE);
    expect(await validAt(at + 30 * DAY_MS)).toBeNull();
    stores.clock.advance(at + 30 * DAY_MS - stores.clock.now());
    await register(stores, TWO, 'Ada');
    expect(stores.types(Muse.streamName(TWO))).toEqual(['Registered']);
  });

  test('is free once the name of its owner is erased', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE, 'Ada');
    await stores.keys.destroy(ONE);
    expect(await stores.claims.findValid(NAME, null)).toBeNull();
  });
});

test('refuses a contested claim as busy instead of looping forever', async () => {
  const stores = new InMemoryStores();
  stores.journal.append = async (stream, expected) => Promise.reject(new RevisionConflict(stream, expected));
  const context = stores.request(ONE);
  const claims = new Claims(stores.journal, stores.streams, stores.clock);
  expect(await refusalOf(claims.acquire(NAME, finishing(context, ONE), context))).toMatchObject({ code: 'busy' });
});
