import { describe, expect, test } from '@jest/globals';
import { key } from '#libs/features/identity/key.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { publicKeyNoble, signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { Muse } from '#libs/domain/muse.js';
import { given } from '../../given.js';
import { decides } from './deciding.js';
import * as world from './worlds.js';

const { POSTER } = world;
const seed = new Uint8Array(32).fill(7);
const NEW = publicKeyNoble(seed);
const proof = signNoble(seed, keyProof(POSTER, NEW));
const OLD = 'A'.repeat(43);
const OLDER = publicKeyNoble(new Uint8Array(32).fill(8));
const WALLET = `0x${'3'.repeat(40)}`;
const ISSUED = { hash: sha256Hex('new'), expires_at: 2_000 };
const by = (requestTokenHint: string | null, sent: { public_key?: string; proof?: string } = {}) =>
  decides(key, { public_key: NEW, proof, ...sent }, POSTER, {
    given: { token: 't', issued: ISSUED, requestTokenHint },
  }) as (muse: Muse) => Fact[];

const keyless = world.told('Registered', { public_key: null });
const keyed = world.told('Registered', { public_key: OLD });
const token = world.told('TokenIssued', { hash: sha256Hex('old') });
const verified = world.told('Verified', { muse_id: POSTER, wallet: WALLET });

test('a first key keeps the tokens and the verification', () => {
  const [bound] = given(Muse, keyless, token, verified).when(by('ab')).thenTypes('KeyBound');
  expect(bound!.data).toEqual({ muse_id: POSTER, public_key: NEW });
});

describe('another key', () => {
  test('ends the verification and all tokens, and replaces the caller’s token', () => {
    const [ended, tokens, bound, issued] = given(Muse, keyed, token, verified)
      .when(by('ab'))
      .thenTypes('VerificationEnded', 'TokenRevoked', 'KeyBound', 'TokenIssued');
    expect(ended!.data).toMatchObject({ muse_id: POSTER, wallet: WALLET, reason: 'key_changed' });
    expect(tokens!.data).toEqual({ muse_id: POSTER, hashes: [sha256Hex('old')] });
    expect(bound!.data).toEqual({ muse_id: POSTER, public_key: NEW, replaces: OLD });
    expect(issued!.data).toEqual({ muse_id: POSTER, ...ISSUED });
    given(Muse, keyed).when(by(null)).thenTypes('KeyBound');
  });

  test('changes nothing if it is the current key', () => {
    given(Muse, world.told('Registered', { public_key: NEW }), token)
      .when(by(null))
      .thenNothing();
  });

  test('is refused if it is an earlier key', () => {
    const changes = [
      world.told('KeyBound', { public_key: OLDER, replaces: NEW }),
      world.told('KeyBound', { public_key: OLD, replaces: OLDER }),
    ];
    given(Muse, world.told('Registered', { public_key: NEW }), ...changes)
      .when(by(null))
      .thenRefused('key_taken', 'public_key');
  });

  test('needs its own signature over this identity', () => {
    const others = signNoble(seed, keyProof(world.WORKER, NEW));
    given(Muse, keyed)
      .when(by(null, { proof: others }))
      .thenRefused('proof_mismatch', 'proof');
    given(Muse, keyed)
      .when(by(null, { public_key: 'A'.repeat(43) }))
      .thenRefused('public_key', 'public_key');
  });
});
