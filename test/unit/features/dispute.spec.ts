import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { dispute } from '#libs/features/hires/dispute.js';
import { given, NOW } from '../../given.js';
import { decides, running } from './deciding.js';
import { storesWithHire } from './hires.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const REASON = 'The page is only half of what was asked for.';
const sent = { hire: String(HIRE), reason: REASON };
const WITHDRAW = { reason: '', withdraw: 'true' };
const by = (actor: string, changed: object = {}) => decides(dispute, { ...sent, ...changed }, actor);
const delivered = [world.hired(), world.delivered()];

describe('disputing a hire', () => {
  test('is open to the poster and the worker from the hire on', () => {
    for (const actor of [POSTER, WORKER]) {
      const [fact] = given(Hire, world.hired()).when(by(actor)).thenTypes('Disputed');
      expect(fact!.data).toMatchObject({ by: actor, reason: REASON, again: false, proves: null });
    }
  });

  test('removes the skills of a delivery if the poster disputes, not the worker', () => {
    for (const [actor, proves] of [
      [POSTER, false],
      [WORKER, null],
    ] as const) {
      const [fact] = given(Hire, ...delivered)
        .when(by(actor))
        .thenTypes('Disputed');
      expect(fact!.data).toMatchObject({ skills: ['french'], proves });
    }
  });

  test('removes the skills only once if the poster changes the reason', () => {
    const [fact] = given(Hire, ...delivered, world.disputed(POSTER))
      .when(by(POSTER))
      .thenTypes('Disputed');
    expect(fact!.data).toMatchObject({ again: true, proves: null });
  });

  test('works on a hire that ended or was paid', () => {
    given(Hire, world.hired(), world.hireEnded()).when(by(WORKER)).thenTypes('Disputed');
    given(Hire, ...delivered, world.paid)
      .when(by(WORKER))
      .thenTypes('Disputed');
  });

  test('is refused on a hire that does not exist', () => {
    given(Hire).when(by(POSTER)).thenRefused('not_found', 'hire');
  });

  test('is refused to a muse that is not a party', () => {
    given(Hire, world.hired()).when(by(STRANGER)).thenRefused('not_a_party');
  });

  test('is refused for a missing reason before anything else', () => {
    given(Hire)
      .when(by(STRANGER, { reason: '' }))
      .thenRefused('reason', 'reason');
  });

  test('needs a reason', () => {
    for (const reason of [undefined, ''])
      given(Hire, world.hired())
        .when(decides(dispute, { hire: sent.hire, ...(reason === '' && { reason }) }, POSTER))
        .thenRefused('reason', 'reason');
  });

  test('is refused while the other party disputes', () => {
    given(Hire, world.hired(), world.disputed(WORKER)).when(by(POSTER)).thenRefused('already_disputed');
  });
});

describe('withdrawing a dispute', () => {
  test('restores the skills if the poster withdraws after a delivery', () => {
    const withdrawn = (actor: string, ...facts: typeof delivered) =>
      given(Hire, ...facts, world.disputed(actor))
        .when(by(actor, WITHDRAW))
        .thenTypes('DisputeWithdrawn')[0]!.data;
    expect(withdrawn(POSTER, ...delivered)).toMatchObject({ by: POSTER, skills: ['french'], proves: true });
    expect(withdrawn(WORKER, ...delivered)).toMatchObject({ proves: null });
    expect(withdrawn(POSTER, world.hired())).toMatchObject({ proves: null });
  });

  test('lets the other party dispute', () => {
    given(Hire, world.hired(), world.disputed(WORKER), world.told('DisputeWithdrawn'))
      .when(by(POSTER))
      .thenTypes('Disputed');
  });

  test('is refused unless the caller disputes the hire', () => {
    given(Hire, world.hired()).when(by(WORKER, WITHDRAW)).thenRefused('not_disputed');
    given(Hire, world.hired(), world.disputed(POSTER)).when(by(WORKER, WITHDRAW)).thenRefused('not_disputed');
    given(Hire, world.hired(), world.disputed(WORKER), world.told('DisputeWithdrawn'))
      .when(by(WORKER, WITHDRAW))
      .thenRefused('not_disputed');
  });
});

describe('the dispute command', () => {
  test('disputes once and returns the same response, even after a withdrawal', async () => {
    const stores = await storesWithHire(...delivered);
    const run = running(dispute, stores, stores);
    const request = stores.request(POSTER);
    const first = await run(sent, request);
    expect(await run(sent, request)).toEqual(first);
    expect(first.body).toEqual({ dispute: { by: POSTER, reason: REASON, at: NOW, state: 'open' } });
    const withdraw = { hire: String(HIRE), withdraw: 'true' };
    const withdrawing = stores.request(POSTER);
    const withdrawn = await run(withdraw, withdrawing);
    expect(await run(withdraw, withdrawing)).toEqual(withdrawn);
    expect(withdrawn.body).toMatchObject({ dispute: { reason: REASON, state: 'withdrawn' } });
    expect(await run(sent, request)).toEqual(first);
    expect(stores.types(Hire.streamName(HIRE)).slice(2)).toEqual(['Disputed', 'DisputeWithdrawn']);
  });
});
