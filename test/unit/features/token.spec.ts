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
const by = (action: string, requestTokenHint: string | null) =>
  decides(token, { action }, POSTER, { given: { token: 't', issued: NEXT, requestTokenHint } }) as (
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
    expect(next!.data).toEqual({ muse_id: POSTER, ...NEXT });
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
});

describe('token issue', () => {
  test('rejects a bearer request', () => {
    given(Muse, world.registered, ...two)
      .when(by('issue', first.slice(0, 16)))
      .thenRefused('action', 'action');
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
