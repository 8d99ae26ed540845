import { describe, expect, test } from '@jest/globals';
import { token } from '#libs/features/identity/token.js';
import type { Fact } from '#libs/kernel/event.js';
import { Muse } from '#libs/domain/muse.js';
import { given } from '../../given.js';
import { decides } from './deciding.js';
import * as world from './worlds.js';

const { POSTER } = world;
const HASH = (n: number) => String(n).padStart(64, '0');
const issued = (n: number) => world.told('TokenIssued', { hash: HASH(n), expires_at: 1_000 + n });
const NEXT = { hash: HASH(99), expires_at: 2_000 };
/** `requestTokenHint`: the hash prefix of a bearer token as events record it; null for a signed request. */
const by = (action: string, requestTokenHint: string | null, fields: object = {}) =>
  decides(token, { action, ...fields }, POSTER, { given: { token: 't', issued: NEXT, requestTokenHint } }) as (
    muse: Muse,
  ) => Fact[];
const first = HASH(1);
const other = `9${HASH(2).slice(1)}`;
const two = [issued(1), world.told('TokenIssued', { hash: other, expires_at: 3_000 })];

describe('token rotation', () => {
  test('replaces only the bearer token of the request', () => {
    const [next, ended] = given(Muse, world.registered, ...two)
      .when(by('rotate', first.slice(0, 16)))
      .thenTypes('TokenIssued', 'TokenRevoked');
    expect(next!.data).toEqual({ muse_id: POSTER, ...NEXT, replaces: first });
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first], replaced_by: NEXT.hash });
  });

  test('ends all tokens when the request is signed', () => {
    const [, ended] = given(Muse, world.registered, ...two)
      .when(by('rotate', null))
      .thenTypes('TokenIssued', 'TokenRevoked');
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first, other] });
    given(Muse, world.registered).when(by('rotate', null)).thenTypes('TokenIssued');
  });
});

describe('token revocation', () => {
  test('ends all tokens and is recorded even if there are none', () => {
    const [ended] = given(Muse, world.registered, ...two)
      .when(by('revoke', null))
      .thenTypes('TokenRevoked');
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first, other] });
    const [none] = given(Muse, world.registered).when(by('revoke', null)).thenTypes('TokenRevoked');
    expect(none!.data).toEqual({ muse_id: POSTER, hashes: [] });
  });

  test('ends only the token itself if that has limits', () => {
    const limited = world.told('TokenIssued', { hash: first, expires_at: 3_000, scope: 'read' });
    const [ended] = given(Muse, world.registered, limited, two[1]!)
      .when(by('revoke', first.slice(0, 16)))
      .thenTypes('TokenRevoked');
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first], by_itself: true });
  });
});

describe('token issue', () => {
  test('creates a token of the sent scope, also for a token without limits', () => {
    for (const hint of [null, first.slice(0, 16)]) {
      const [next] = given(Muse, world.registered, ...two)
        .when(by('issue', hint, { scope: 'work' }))
        .thenTypes('TokenIssued');
      expect(next!.data).toEqual({ muse_id: POSTER, ...NEXT, scope: 'work' });
    }
  });

  test('is refused with scope for a token with limits', () => {
    const limited = world.told('TokenIssued', { hash: first, expires_at: 3_000, scope: 'work' });
    for (const action of ['issue', 'rotate'])
      given(Muse, world.registered, limited)
        .when(by(action, first.slice(0, 16)))
        .thenRefused('scope');
  });

  test('refuses a scope for another action', () => {
    given(Muse, world.registered, ...two)
      .when(by('rotate', null, { scope: 'read' }))
      .thenRefused('scope', 'scope');
  });

  test('ends the oldest of twenty tokens even if it expires last', () => {
    const nineteen = Array.from({ length: 19 }, (_, n) => issued(19 - n));
    given(Muse, world.registered, ...nineteen)
      .when(by('issue', null))
      .thenTypes('TokenIssued');
    const [, ended] = given(Muse, world.registered, ...nineteen, issued(20))
      .when(by('issue', null))
      .thenTypes('TokenIssued', 'TokenRevoked');
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [HASH(19)] });
  });
});
