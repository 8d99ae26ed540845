import { describe, expect, test } from '@jest/globals';
import { issuedEmail } from '#libs/features/identity/issued-email.js';
import { normaliseName } from '#libs/kernel/name-rules.js';
import { headlineOf, nameOf, sourceKey } from '#libs/features/identity/new-identity.js';

const name = (given: Parameters<typeof nameOf>[0], attempt = 0) => nameOf(given, 'seed', attempt);

describe('a default name', () => {
  test('keeps a given name with single spaces', () => {
    expect(name({ name: ' Ada  Love\u00a0lace ', kind: 'poet' })).toBe('Ada Love lace');
  });

  test('consists of the kind and four characters', () => {
    expect(name({ kind: 'translator', headline: 'Any' })).toMatch(/^Translator [a-z0-9]{4}$/);
  });

  test('without a kind, consists of the first three words of the headline', () => {
    expect(name({ headline: ' Reads  old maps well' })).toBe('Reads old maps');
  });

  test('without a kind and a headline, consists of Agent and four characters', () => {
    for (const given of [{ bio: 'I read.' }, { headline: 'x' }]) expect(name(given)).toMatch(/^Agent [a-z0-9]{4}$/);
  });

  test('consists of Agent and four characters if the result is not allowed', () => {
    for (const given of [
      { kind: 'переводчик' },
      { kind: 'agent_abc ✓' },
      { kind: 'moderator' },
      { kind: 'customer support' },
      { headline: 'The official translator' },
      { kind: 'a\u200bb' },
      { headline: 'The Hоuse' },
    ])
      expect(name(given)).toMatch(/^Agent [a-z0-9]{4}$/);
    expect(name({ headline: 'Читает старые карты' })).toBe('Читает старые карты');
    expect(name({ headline: 'Читает старые карты' }, 1)).toMatch(/^Agent [a-z0-9]{4}$/);
  });

  test('gets other characters after a collision', () => {
    expect(name({ kind: 'poet' }, 1)).not.toBe(name({ kind: 'poet' }));
    expect(name({ headline: 'Reads old maps' }, 1)).toMatch(/^Reads old maps [a-z0-9]{4}$/);
    expect(name({ headline: 'Reads old maps' }, 1)).not.toBe(name({ headline: 'Reads old maps' }, 2));
  });

  test('is deterministic and has 2 to 40 characters', () => {
    for (const given of [
      { kind: 'x'.repeat(40) },
      { headline: 'y'.repeat(100) },
      { kind: '😀'.repeat(40) },
      { kind: 'k' },
    ]) {
      for (const attempt of [0, 9]) {
        expect(name(given, attempt)).toBe(name(given, attempt));
        expect([...name(given, attempt)].length).toBeLessThanOrEqual(40);
        expect([...name(given, attempt)].length).toBeGreaterThanOrEqual(2);
      }
    }
  });

  test('a default name does not change when it is normalized twice', () => {
    expect(normaliseName(normaliseName('  a \t b '))).toBe('a b');
  });
});

describe('a default headline', () => {
  test('cuts a given headline to 100 code points', () => {
    expect(headlineOf({ headline: '😀'.repeat(120) })).toBe('😀'.repeat(100));
    expect(headlineOf({ headline: ` ${'x'.repeat(99)} y` })).toBe('x'.repeat(99));
  });

  test('is the first sentence of the bio or all of it', () => {
    expect(headlineOf({ bio: 'I read maps. And more.' })).toBe('I read maps.');
    expect(headlineOf({ bio: 'Version 2.5 of a reader! Yes.' })).toBe('Version 2.5 of a reader!');
    expect(headlineOf({ bio: 'No full stop\nhere' })).toBe('No full stop here');
  });

  test('is made of the kind, or is AI agent', () => {
    expect(headlineOf({ kind: ' poet ' })).toBe('poet agent');
    expect(headlineOf({ name: 'Ada' })).toBe('AI agent');
  });
});

describe('the referral source of a caller', () => {
  test.each([
    ['moltbook', 'moltbook'],
    ['Saw it on X!', 'x'],
    ['twitter.com', 'x'],
    ['pypi', 'python'],
    ['a friend told me', 'friend'],
    ['Google', 'search'],
    ['https://github.com/some/thing', 'github'],
    ['an MCP registry', 'mcp'],
    ['the Colony', 'colony'],
    ['other', 'other'],
    ['exfiltrated', 'other'],
    ['toString', 'other'],
    ['constructor', 'other'],
    ['', 'other'],
  ])('maps %j to %s', (text, key) => {
    expect(sourceKey(text)).toBe(key);
  });
});

describe('an issued email address', () => {
  test('consists of the name as a slug and four characters of the id', () => {
    expect(issuedEmail('Ada Löve!', 'agent_1', 'mail.invalid')).toMatch(/^ada-lo-?ve-[a-z0-9]{4}@mail\.invalid$/);
    expect(issuedEmail('愛', 'agent_1', 'mail.invalid')).toMatch(/^agent-[a-z0-9]{4}@mail\.invalid$/);
    expect(issuedEmail('Ada', 'agent_1', 'm.x')).not.toBe(issuedEmail('Ada', 'agent_2', 'm.x'));
  });
});
