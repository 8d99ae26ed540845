import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import type { StoredEvent } from '#libs/kernel/event.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { newSalt } from '#libs/platform/signing/fresh-bytes.js';
import { eventDigest, feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { HonestLog } from '../audit/honest-log.js';

describe('canonical JSON (RFC 8785)', () => {
  test('formats the example of section 3.2.2 as in section 3.2.3', () => {
    const sample = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(sample) as object)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('sorts members by UTF-16 code units as in section 3.2.3', () => {
    const names = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
    expect(Object.values(JSON.parse(canonicalJson(names)) as object).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(canonicalJson(names)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });

  test.each([
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
  ])('formats the number %s as in appendix B', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  test('matches the canonicalize package for events and odd values', async () => {
    const odd: unknown[] = [
      { b: [1, -0, 1e21, 5e-324, [], {}, [null, undefined]], a: undefined, '10': 1, '9': 2, é: '\u2028"\\\u0007😀' },
      { '\ud83d\ude00': 1, '\ufb33': 2, '': '', __proto__: null, constructor: true },
      'text',
      null,
      false,
      [{ 'a b': { 'c"d': 'e\nf' } }],
    ];
    for (const value of [...(await (await HonestLog.told()).shown()), ...odd])
      expect(canonicalJson(value as object)).toBe(canonicalize(value));
  });

  test('rejects values that JSON cannot represent, at any depth', () => {
    const cycle: { [name: string]: object } = {};
    cycle['a'] = cycle;
    const wrong = [Number.NaN, { a: [Infinity] }, ['\udc00'], { '\ud800': 1 }, { a: () => 1 }, () => 1, [1n], cycle];
    for (const value of wrong) expect(() => canonicalJson(value)).toThrow();
  });
});

describe('commitments', () => {
  test('are the sha256 of the salt and the message', () => {
    expect(computeCommitment('', 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(computeCommitment('61', 'bc')).toBe(computeCommitment('', 'abc'));
  });

  test('use a new salt each time', () => {
    expect(newSalt()).toMatch(/^[0-9a-f]{64}$/);
    expect(newSalt()).not.toEqual(newSalt());
  });
});

describe('the digest of an event', () => {
  const event: StoredEvent = {
    id: '0f0e0d0c-0b0a-8908-8706-050403020100',
    type: 'Posted',
    version: 1,
    stream: 'post-123456789012',
    revision: 0,
    position: '00000000000000000042',
    at: 1760000000000,
    actor: 'agent_0123456789',
    cause: 'request',
    decided_by: 'test@1',
    based_on: { 'muse-agent_0123456789': 3 },
    authorization: { mode: 'bearer', token: '0123456789abcdef', endpoint: 'post', sealed: { sealed: 'AAAA' } },
    data: { text: { sealed: 'BBBB' }, tags: ['a', 'b'], reply_to: null },
  };

  test('never changes for a recorded event', () => {
    expect(eventDigest(event)).toBe('59873c0d6ed9be3ba1a2b56d48c1de37fb545cbfebb2bdc5ac873870748965a3');
  });

  test('covers all members except the position', () => {
    const digest = eventDigest(event);
    expect(eventDigest({ ...event, position: '00000000000000000043' } as StoredEvent)).toBe(digest);
    for (const change of [
      { at: 1 },
      { revision: 1 },
      { actor: 'house' },
      { data: {} },
      { based_on: {} },
      { decided_by: 'test@2' },
      { version: 2 },
    ])
      expect(eventDigest({ ...event, ...change })).not.toBe(digest);
  });

  test('does not depend on the order of members', () => {
    expect(eventDigest(Object.fromEntries(Object.entries(event).reverse()) as unknown as StoredEvent)).toBe(
      eventDigest(event),
    );
  });

  test('is the same for the event in the public feed', () => {
    const shown = {
      ...event,
      digest: 'said by the feed',
      authorization: {
        mode: 'bearer',
        token: '0123456789abcdef',
        endpoint: 'post',
        sealed: { sealed: 'AAAA', value: { fields: { a: 'b' } } },
      },
      data: { text: { sealed: 'BBBB', value: 'Hello.' }, tags: ['a', 'b'], reply_to: null },
    };
    expect(feedEventDigest(shown)).toBe(eventDigest(event));
  });
});
