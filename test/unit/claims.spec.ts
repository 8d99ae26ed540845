import { describe, expect, test } from '@jest/globals';
import type { Thing } from '#libs/claims/claim-streams.js';
import { Claims, UNFINISHED_MS } from '#libs/claims/claims.js';
import { Muse, ProfileUpdated, Registered } from '#libs/streams/muse.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { RevisionConflict } from '#libs/event-log/port.js';
import { claimName } from '#libs/claims/names.js';
import type { Context } from '#libs/kernel/decide.js';
import { eventId } from '#libs/kernel/ids.js';
import { asEvents } from '../given.js';
import { Desk, refusalOf } from './desk.js';
import { told } from './features/worlds.js';

const ONE = 'agent_one0000000';
const TWO = 'agent_two0000000';
const NAME: Thing = { kind: 'name', value: 'ada' };
const registeredAs = (muse_id: string, name: string) => told('Registered', { muse_id, name, public_key: null });

const finishing = (context: Context, museId: string) => ({
  owner: Muse.named(museId),
  finishes: { event: eventId(context.requestKey, Muse.named(museId), Registered.type, 0) },
});

/** Takes a name and registers under it, as the commands do. */
function register(desk: Desk, museId: string, name = 'Ada', pause: () => Promise<unknown> = async () => undefined) {
  const context = desk.request(museId);
  return carryOut(desk.journal, context, {
    writes: Muse.of(museId),
    decide: () => [registeredAs(museId, name)],
    claim: async () => {
      await claimName(desk.claims, name, museId, Registered.type, context);
      await pause();
    },
  });
}

test('a claim’s stream says nothing of the name', async () => {
  const desk = new Desk();
  await register(desk, ONE, 'Ada');
  expect(desk.log.events[0]!.stream).toMatch(/^claim-name-[0-9a-f]{64}$/);
  expect(JSON.stringify(desk.log.events).toLowerCase()).not.toContain('ada');
});

describe('two that want one name', () => {
  test('at once: one gets it, the other is told that it is taken', async () => {
    const desk = new Desk();
    const outcomes = await Promise.allSettled([register(desk, ONE, 'Ada'), register(desk, TWO, 'ADA')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'name_taken' } });
    expect(desk.log.events.filter(({ type }) => type === 'Registered')).toHaveLength(1);
  });

  test('twenty at once: exactly one gets it', async () => {
    const desk = new Desk();
    const ids = Array.from({ length: 20 }, (_, n) => `agent_${String(n).padStart(10, '0')}`);
    const outcomes = await Promise.allSettled(ids.map(id => register(desk, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('one after the other: the first keeps it for ever', async () => {
    const desk = new Desk();
    await register(desk, ONE);
    desk.clock.advance(1_000 * UNFINISHED_MS);
    expect(await refusalOf(register(desk, TWO))).toMatchObject({ code: 'name_taken' });
  });
});

describe('an unfinished claim', () => {
  async function sleeping() {
    const desk = new Desk();
    const context = desk.request(ONE);
    await desk.claims.take(NAME, finishing(context, ONE), context);
    return { desk, context };
  }

  test('is had again by the same claimant without a second event', async () => {
    const { desk, context } = await sleeping();
    expect(await desk.claims.take(NAME, finishing(context, ONE), context)).toBeNull();
    expect(desk.log.events).toHaveLength(1);
  });

  test('stands for thirty seconds and not a millisecond longer', async () => {
    const { desk } = await sleeping();
    desk.clock.advance(UNFINISHED_MS - 1);
    expect(await desk.claims.standing(NAME)).not.toBeNull();
    const other = desk.request(TWO);
    expect(await desk.claims.take(NAME, finishing(other, TWO), other)).toMatchObject({
      data: { owner: Muse.named(ONE) },
    });
    desk.clock.advance(1);
    expect(await desk.claims.standing(NAME)).toBeNull();
    expect(await desk.claims.take(NAME, finishing(other, TWO), other)).toBeNull();
  });

  test('is fenced before it is taken over: its owner is told', async () => {
    const { desk } = await sleeping();
    desk.clock.advance(UNFINISHED_MS);
    const other = desk.request(TWO);
    await desk.claims.take(NAME, finishing(other, TWO), other);
    const claim = desk.log.events[0]!;
    expect(desk.types(Muse.named(ONE))).toEqual(['ClaimLost']);
    expect(desk.log.of(Muse.named(ONE))[0]!.data).toEqual({ claim: claim.id });
    expect(desk.types(claim.stream)).toEqual(['Claimed', 'Claimed']);
  });

  test('that was lost is not had by its first owner, who starts over behind the new one', async () => {
    const { desk, context } = await sleeping();
    desk.clock.advance(UNFINISHED_MS);
    const other = desk.request(TWO);
    await desk.claims.take(NAME, finishing(other, TWO), other);
    const mine = await desk.claims.take(NAME, finishing(context, ONE), context);
    expect(mine).toMatchObject({ data: { owner: Muse.named(TWO) } });
    desk.clock.advance(UNFINISHED_MS);
    expect(await desk.claims.take(NAME, finishing(context, ONE), context)).toBeNull();
  });

  test('of a sleeper: its append conflicts, it starts over and finds the name taken', async () => {
    const desk = new Desk();
    let slept = false;
    const oversleep = async () => {
      if (slept) return;
      slept = true;
      desk.clock.advance(UNFINISHED_MS);
      await register(desk, TWO);
    };
    expect(await refusalOf(register(desk, ONE, 'Ada', oversleep))).toMatchObject({ code: 'name_taken' });
    expect(desk.types(Muse.named(ONE))).toEqual(['ClaimLost']);
    expect(desk.types(Muse.named(TWO))).toEqual(['Registered']);
  });

  test('of a sleeper whose taker then failed is had after all', async () => {
    const desk = new Desk();
    let slept = false;
    const oversleep = async () => {
      if (slept) return;
      slept = true;
      desk.clock.advance(UNFINISHED_MS);
      const other = desk.request(TWO);
      await desk.claims.take(NAME, finishing(other, TWO), other);
      desk.clock.advance(UNFINISHED_MS);
    };
    await register(desk, ONE, 'Ada', oversleep);
    expect(desk.types(Muse.named(ONE))).toEqual(['ClaimLost', 'Registered']);
  });

  test('whose owner finished between the look and the fence stands', async () => {
    const { desk, context } = await sleeping();
    desk.clock.advance(UNFINISHED_MS);
    const load = desk.journal.load.bind(desk.journal);
    let looks = 0;
    desk.journal.load = async wanted => {
      if (wanted.stream === Muse.named(ONE) && (looks += 1) === 2) {
        const [event] = asEvents([registeredAs(ONE, 'Ada')], Muse.named(ONE));
        await desk.journal.append(Muse.named(ONE), 'none', [{ ...event!, id: finishing(context, ONE).finishes.event }]);
      }
      return load(wanted);
    };
    const other = desk.request(TWO);
    const standing = await desk.claims.take(NAME, finishing(other, TWO), other);
    expect(standing).toMatchObject({ data: { owner: Muse.named(ONE) } });
    expect(desk.types(Muse.named(ONE))).toEqual(['Registered']);
  });

  test('that was fenced by somebody who then died is had again by a new claim, not by the lost one', async () => {
    const { desk, context } = await sleeping();
    desk.clock.advance(UNFINISHED_MS);
    const other = desk.request(TWO);
    desk.log.faults.plan('append', null, 'lost');
    await expect(desk.claims.take(NAME, finishing(other, TWO), other)).rejects.toThrow('cannot be reached');
    expect(desk.types(Muse.named(ONE))).toEqual(['ClaimLost']);
    expect(await desk.claims.take(NAME, finishing(context, ONE), context)).toBeNull();
    expect(desk.types(desk.streams.of(NAME))).toEqual(['Claimed', 'Claimed']);
  });

  test('whose owner wrote at the moment of the fence is looked at again, and stands', async () => {
    const { desk, context } = await sleeping();
    desk.clock.advance(UNFINISHED_MS);
    const append = desk.journal.append.bind(desk.journal);
    desk.journal.append = async (stream, expected) => {
      desk.journal.append = append;
      await append(Muse.named(ONE), 'none', [
        { ...asEvents([registeredAs(ONE, 'Ada')], Muse.named(ONE))[0]!, id: finishing(context, ONE).finishes.event },
      ]);
      throw new RevisionConflict(stream, expected);
    };
    const other = desk.request(TWO);
    expect(await desk.claims.take(NAME, finishing(other, TWO), other)).toMatchObject({
      data: { owner: Muse.named(ONE) },
    });
  });
});

describe('a finished claim', () => {
  test('is free once its owner no longer holds the thing', async () => {
    const desk = new Desk();
    await register(desk, ONE);
    await desk.journal.append(Muse.named(ONE), 0, [
      { ...asEvents([ProfileUpdated({ muse_id: ONE, name: 'Bob' })], Muse.named(ONE))[0]!, id: 'renamed' },
    ]);
    expect(await desk.claims.standing(NAME)).toBeNull();
    await register(desk, TWO);
    expect(desk.types(Muse.named(TWO))).toEqual(['Registered']);
  });

  test('is free once its owner’s name was erased', async () => {
    const desk = new Desk();
    await register(desk, ONE);
    await desk.keys.destroy(ONE);
    expect(await desk.claims.standing(NAME)).toBeNull();
  });
});

test('a thing that everybody takes at this moment is busy, not looped over', async () => {
  const desk = new Desk();
  desk.journal.append = async (stream, expected) => Promise.reject(new RevisionConflict(stream, expected));
  const context = desk.request(ONE);
  const claims = new Claims(desk.journal, desk.streams, desk.clock);
  expect(await refusalOf(claims.take(NAME, finishing(context, ONE), context))).toMatchObject({ code: 'busy' });
});
