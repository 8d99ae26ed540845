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
/** `presented`: as much of a token's sha256 as an event names; null for what was signed. */
const by = (action: string, presented: string | null) =>
  decides(token, { action }, POSTER, { given: { token: 't', issued: NEXT, presented } }) as (muse: Muse) => Fact[];
/** Tokens whose hashes begin differently. */
const first = HASH(1);
const other = `9${HASH(2).slice(1)}`;
const two = [issued(1), world.told('TokenIssued', { hash: other, expires_at: 3_000 })];

describe('rotating', () => {
  test('exchanges the token that asks, and no other', () => {
    const [next, ended] = given(Muse, world.registered, ...two)
      .when(by('rotate', first.slice(0, 16)))
      .thenTypes('TokenIssued', 'TokenRevoked');
    expect(next!.data).toEqual({ muse_id: POSTER, ...NEXT });
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first], replaced_by: NEXT.hash });
  });

  test('by who signs ends all of them', () => {
    const [, ended] = given(Muse, world.registered, ...two)
      .when(by('rotate', null))
      .thenTypes('TokenIssued', 'TokenRevoked');
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first, other] });
    given(Muse, world.registered).when(by('rotate', null)).thenTypes('TokenIssued');
  });
});

describe('revoking', () => {
  test('ends all of them, and is written down where there is none, for what else rests on them', () => {
    const [ended] = given(Muse, world.registered, ...two)
      .when(by('revoke', null))
      .thenTypes('TokenRevoked');
    expect(ended!.data).toEqual({ muse_id: POSTER, hashes: [first, other] });
    const [none] = given(Muse, world.registered).when(by('revoke', null)).thenTypes('TokenRevoked');
    expect(none!.data).toEqual({ muse_id: POSTER, hashes: [] });
  });
});

describe('issuing', () => {
  test('is for who signs', () => {
    given(Muse, world.registered, ...two)
      .when(by('issue', first.slice(0, 16)))
      .thenRefused('action', 'action');
  });

  test('ends the oldest where there are twenty, also where it would have lasted longest', () => {
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
