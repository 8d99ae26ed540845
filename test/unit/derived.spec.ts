import { describe, expect, test } from '@jest/globals';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { Integers, sha256Hex } from '#libs/kernel/ids.js';

const [one, other] = [1, 2].map(byte => new Integers(Buffer.alloc(32, byte))) as [Integers, Integers];

describe('values derived from a vault key', () => {
  test('are the same for a repetition, but not in another vault', () => {
    const made = (derived: Integers) => [
      derived.id('hire', 'request'),
      derived.item('applied', 'request'),
      derived.requestKey('idempotency', 'a guess'),
      derived.salted('note', 'request', 'Hello.').salt,
    ];
    expect(made(one)).toEqual(made(one));
    made(other).forEach((value, index) => expect(value).not.toBe(made(one)[index]));
  });

  test('differ by kind and request, but not by text', () => {
    const { salt } = one.salted('note', 'request', 'Hello.');
    expect(one.salted('note', 'request', 'Another text.').salt).toBe(salt);
    expect(one.salted('note', 'another request', 'Hello.').salt).not.toBe(salt);
    expect(one.salted('request', 'request', 'Hello.').salt).not.toBe(salt);
    expect(one.requestKey('idempotency', 'a guess')).not.toBe(one.requestKey('idempotency', 'another guess'));
  });

  test('commit to a text that can only be checked with its salt', () => {
    const { commitment, salt } = one.salted('note', 'request', 'Grüße.');
    expect(commitment).toBe(sha256Hex(Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from('Grüße.')])));
    expect(commitment).toBe(computeCommitment(salt, 'Grüße.'));
    expect(commitment).not.toBe(computeCommitment(other.salted('note', 'request', 'Grüße.').salt, 'Grüße.'));
  });
});
