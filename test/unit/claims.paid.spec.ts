import { describe, expect, test } from '@jest/globals';
import type { Thing } from '#libs/claims/claim-streams.js';
import { UNFINISHED_MS } from '#libs/claims/claims.js';
import { Muse } from '#libs/streams/muse.js';
import { Payment } from '#libs/streams/payment.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents } from '../given.js';
import { Desk } from './desk.js';
import { registered, told } from './features/worlds.js';

const ONE = 'agent_one0000000';
const TWO = 'agent_two0000000';
const byAnEvent = { owner: Muse.named(TWO), finishes: { event: 'an event' } };

const write = (desk: Desk, stream: string, ...facts: Fact[]) =>
  desk.journal.append(
    stream,
    'any',
    asEvents(facts, stream).map((event, n) => ({ ...event, id: `${stream}-${n}` })),
  );

describe('a claim that a payment finishes', () => {
  const PAYMENT = (told('PaymentAccepted').data as { payment: string }).payment;
  const purchase: Thing = { kind: 'purchase', value: `job/1` };
  const request: Thing = { kind: 'request', value: 'nonce/1' };
  const key: Thing = { kind: 'key', value: 'A'.repeat(43) };

  async function paidFor(thing: Thing, ...facts: Fact[]) {
    const desk = new Desk();
    await write(desk, Payment.named(PAYMENT), told('PaymentAccepted'), ...facts);
    const claimant = { owner: Muse.named(ONE), finishes: { payment: PAYMENT } };
    await desk.claims.take(thing, claimant, desk.request(ONE));
    desk.clock.advance(1_000 * UNFINISHED_MS);
    return desk;
  }

  const ends = ['PaymentRefused', 'PaymentExpired'];

  test.each([[], ['PaymentSubmitted'], ['PaymentSubmitted', 'PaymentSettled']])(
    'stands while it is open (%s %s)',
    async (...types) => {
      const facts = types.map(type => told(type));
      for (const thing of [purchase, request, key]) {
        expect(await (await paidFor(thing, ...facts)).claims.standing(thing)).not.toBeNull();
      }
    },
  );

  test.each(ends)('is free after %s, which charged nobody, and nobody is fenced', async end => {
    for (const thing of [purchase, request, key]) {
      const desk = await paidFor(thing, told(end));
      expect(await desk.claims.standing(thing)).toBeNull();
      expect(await desk.claims.take(thing, byAnEvent, desk.request(TWO))).toBeNull();
      expect(desk.types(Muse.named(ONE))).toEqual([]);
    }
  });

  test('a request stays paid for; a purchase may be made again; a thing is held by its owner’s state alone', async () => {
    const done = [told('PaymentSettled'), told('PaymentApplied')];
    expect(await (await paidFor(request, ...done)).claims.standing(request)).not.toBeNull();
    expect(await (await paidFor(purchase, ...done)).claims.standing(purchase)).toBeNull();
    const desk = await paidFor(key, ...done);
    expect(await desk.claims.standing(key)).toBeNull();
    await write(desk, Muse.named(ONE), {
      ...registered,
      data: { ...(registered.data as object), public_key: key.value },
    });
    expect(await desk.claims.standing(key)).not.toBeNull();
  });

  test('the last claim on a thing is known also when it no longer stands', async () => {
    const desk = await paidFor(purchase, told('PaymentRefused'));
    expect(await desk.claims.last(purchase)).toMatchObject({ data: { payment: PAYMENT } });
    expect(await desk.claims.last(key)).toBeNull();
  });
});
