import { describe, expect, test } from '@jest/globals';
import type { ClaimSubject } from '#libs/claims/claim-streams.js';
import { Claims, UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import { Muse, ProfileUpdated, Registered } from '#libs/domain/muse.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { claimName } from '#libs/claims/name-claims.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { deriveEventId } from '#libs/kernel/ids.js';
import { asEvents } from '../given.js';
import { InMemoryStores, refusalOf } from './in-memory-stores.js';
import { told } from './features/worlds.js';

const ONE = 'agent_one0000000';
const TWO = 'agent_two0000000';
const NAME: ClaimSubject = { kind: 'name', value: 'ada' };
const registeredAs = (muse_id: string, name: string) => told('Registered', { muse_id, name, public_key: null });

const finishing = (context: CommandContext, museId: string) => ({
  owner: Muse.streamName(museId),
  finishes: { event: deriveEventId(context.requestKey, Muse.streamName(museId), Registered.type, 0) },
});

/** Takes a name and registers under it, as the commands do. */
function register(
  stores: InMemoryStores,
  museId: string,
  name = 'Ada',
  pause: () => Promise<unknown> = async () => undefined,
) {
  const context = stores.request(museId);
  return executeCommand(stores.journal, context, {
    writes: Muse.source(museId),
    decide: () => [registeredAs(museId, name)],
    claim: async () => {
      await claimName(stores.claims, name, museId, Registered.type, context);
      await pause();
    },
  });
}

test('a claim’s stream says nothing of the name', async () => {
  const stores = new InMemoryStores();
  await register(stores, ONE, 'Ada');
  expect(stores.log.events[0]!.stream).toMatch(/^claim-name-[0-9a-f]{64}$/);
  expect(JSON.stringify(stores.log.events).toLowerCase()).not.toContain('ada');
});

describe('two that want one name', () => {
  test('at once: one gets it, the other is told that it is taken', async () => {
    const stores = new InMemoryStores();
    const outcomes = await Promise.allSettled([register(stores, ONE, 'Ada'), register(stores, TWO, 'ADA')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'name_taken' } });
    expect(stores.log.events.filter(({ type }) => type === 'Registered')).toHaveLength(1);
  });

  test('twenty at once: exactly one gets it', async () => {
    const stores = new InMemoryStores();
    const ids = Array.from({ length: 20 }, (_, n) => `agent_${String(n).padStart(10, '0')}`);
    const outcomes = await Promise.allSettled(ids.map(id => register(stores, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('one after the other: the first keeps it for ever', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE);
    stores.clock.advance(1_000 * UNFINISHED_CLAIM_MS);
    expect(await refusalOf(register(stores, TWO))).toMatchObject({ code: 'name_taken' });
  });
});

describe('an unfinished claim', () => {
  async function sleeping() {
    const stores = new InMemoryStores();
    const context = stores.request(ONE);
    await stores.claims.acquire(NAME, finishing(context, ONE), context);
    return { stores, context };
  }

  test('is had again by the same claimant without a second event', async () => {
    const { stores, context } = await sleeping();
    expect(await stores.claims.acquire(NAME, finishing(context, ONE), context)).toBeNull();
    expect(stores.log.events).toHaveLength(1);
  });

  test('stands for thirty seconds and not a millisecond longer', async () => {
    const { stores } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS - 1);
    expect(await stores.claims.findValid(NAME, null)).not.toBeNull();
    const other = stores.request(TWO);
    expect(await stores.claims.acquire(NAME, finishing(other, TWO), other)).toMatchObject({
      data: { owner: Muse.streamName(ONE) },
    });
    stores.clock.advance(1);
    expect(await stores.claims.findValid(NAME, null)).toBeNull();
    expect(await stores.claims.acquire(NAME, finishing(other, TWO), other)).toBeNull();
  });

  test('is fenced before it is taken over: its owner is told', async () => {
    const { stores } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    const other = stores.request(TWO);
    await stores.claims.acquire(NAME, finishing(other, TWO), other);
    const claim = stores.log.events[0]!;
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost']);
    expect(stores.log.of(Muse.streamName(ONE))[0]!.data).toEqual({ claim: claim.id });
    expect(stores.types(claim.stream)).toEqual(['Claimed', 'Claimed']);
  });

  test('is in the way of others, and never of its own muse, which takes it over without a fence', async () => {
    const { stores } = await sleeping();
    expect(await stores.claims.findValid(NAME, Muse.streamName(TWO))).not.toBeNull();
    expect(await stores.claims.findValid(NAME, Muse.streamName(ONE))).toBeNull();
    const again = stores.request(ONE);
    expect(await stores.claims.acquire(NAME, finishing(again, ONE), again)).toBeNull();
    expect(stores.types(stores.log.events[0]!.stream)).toEqual(['Claimed', 'Claimed']);
    expect(stores.types(Muse.streamName(ONE))).toEqual([]);
    const other = stores.request(TWO);
    expect(await stores.claims.acquire(NAME, finishing(other, TWO), other)).toMatchObject({
      data: { owner: Muse.streamName(ONE) },
    });
  });

  test('that was lost is not had by its first owner, who starts over behind the new one', async () => {
    const { stores, context } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    const other = stores.request(TWO);
    await stores.claims.acquire(NAME, finishing(other, TWO), other);
    const mine = await stores.claims.acquire(NAME, finishing(context, ONE), context);
    expect(mine).toMatchObject({ data: { owner: Muse.streamName(TWO) } });
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    expect(await stores.claims.acquire(NAME, finishing(context, ONE), context)).toBeNull();
  });

  test('of a sleeper: its append conflicts, it starts over and finds the name taken', async () => {
    const stores = new InMemoryStores();
    let slept = false;
    const oversleep = async () => {
      if (slept) return;
      slept = true;
      stores.clock.advance(UNFINISHED_CLAIM_MS);
      await register(stores, TWO);
    };
    expect(await refusalOf(register(stores, ONE, 'Ada', oversleep))).toMatchObject({ code: 'name_taken' });
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost']);
    expect(stores.types(Muse.streamName(TWO))).toEqual(['Registered']);
  });

  test('of a sleeper whose taker then failed is had after all', async () => {
    const stores = new InMemoryStores();
    let slept = false;
    const oversleep = async () => {
      if (slept) return;
      slept = true;
      stores.clock.advance(UNFINISHED_CLAIM_MS);
      const other = stores.request(TWO);
      await stores.claims.acquire(NAME, finishing(other, TWO), other);
      stores.clock.advance(UNFINISHED_CLAIM_MS);
    };
    await register(stores, ONE, 'Ada', oversleep);
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost', 'Registered']);
  });

  test('whose owner finished between the look and the fence stands', async () => {
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
    const other = stores.request(TWO);
    const standing = await stores.claims.acquire(NAME, finishing(other, TWO), other);
    expect(standing).toMatchObject({ data: { owner: Muse.streamName(ONE) } });
    expect(stores.types(Muse.streamName(ONE))).toEqual(['Registered']);
  });

  test('that was fenced by somebody who then died is had again by a new claim, not by the lost one', async () => {
    const { stores, context } = await sleeping();
    stores.clock.advance(UNFINISHED_CLAIM_MS);
    const other = stores.request(TWO);
    stores.log.faults.plan('append', null, 'lost');
    await expect(stores.claims.acquire(NAME, finishing(other, TWO), other)).rejects.toThrow('cannot be reached');
    expect(stores.types(Muse.streamName(ONE))).toEqual(['ClaimLost']);
    expect(await stores.claims.acquire(NAME, finishing(context, ONE), context)).toBeNull();
    expect(stores.types(stores.streams.of(NAME))).toEqual(['Claimed', 'Claimed']);
  });

  test('whose owner wrote at the moment of the fence is looked at again, and stands', async () => {
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
    const other = stores.request(TWO);
    expect(await stores.claims.acquire(NAME, finishing(other, TWO), other)).toMatchObject({
      data: { owner: Muse.streamName(ONE) },
    });
  });
});

describe('a finished claim', () => {
  test('is free once its owner no longer holds the thing', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE);
    await stores.journal.append(Muse.streamName(ONE), 0, [
      { ...asEvents([ProfileUpdated({ muse_id: ONE, name: 'Bob' })], Muse.streamName(ONE))[0]!, id: 'renamed' },
    ]);
    expect(await stores.claims.findValid(NAME, null)).toBeNull();
    await register(stores, TWO);
    expect(stores.types(Muse.streamName(TWO))).toEqual(['Registered']);
  });

  test('is free once its owner’s name was erased', async () => {
    const stores = new InMemoryStores();
    await register(stores, ONE);
    await stores.keys.destroy(ONE);
    expect(await stores.claims.findValid(NAME, null)).toBeNull();
  });
});

test('a thing that everybody takes at this moment is busy, not looped over', async () => {
  const stores = new InMemoryStores();
  stores.journal.append = async (stream, expected) => Promise.reject(new RevisionConflict(stream, expected));
  const context = stores.request(ONE);
  const claims = new Claims(stores.journal, stores.streams, stores.clock);
  expect(await refusalOf(claims.acquire(NAME, finishing(context, ONE), context))).toMatchObject({ code: 'busy' });
});
