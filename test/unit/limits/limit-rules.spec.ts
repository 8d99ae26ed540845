import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CallerAddresses } from '#libs/http/limiting/caller-addresses.js';
import { ReadLimit } from '#libs/http/limiting/read-limit.js';
import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { NEW_IDENTITIES } from '#libs/platform/limits/general-limits.js';
import { LimitTable, type LimitRules } from '#libs/platform/limits/limit-table.js';
import { DECLARED_LIMITS } from '#libs/service/limits.js';
import { readSettings } from '#libs/setup/settings.js';
import { TestClock } from '../../doubles/test-clock.js';
import { makeFolder } from '../../temporary-folder.js';

const folder = makeFolder();

const file = (text: string) => {
  const path = join(folder, 'limits.json');
  writeFileSync(path, text);
  return path;
};
const rules = (value: string, chain = {}) => readSettings({ RATE_LIMITS: value, ...chain }).rateLimits;
const table = (some: Partial<LimitRules>) => new LimitTable(DECLARED_LIMITS, { mode: 'on', overrides: {}, ...some });

describe('the RATE_LIMITS setting', () => {
  test('defaults to dev on a development chain and to on elsewhere', () => {
    const wallet = `0x${'1'.repeat(40)}`;
    const rpc = { CHAIN: 'rpc', BASE_RPC_URL: 'https://rpc.example', RELAYER_KEY_FILE: '/k', SERVICE_WALLET: wallet };
    expect([rules(''), rules('', rpc)]).toEqual([
      { mode: 'dev', overrides: {} },
      { mode: 'on', overrides: {} },
    ]);
    expect([rules('on').mode, rules('off').mode, rules('dev', rpc).mode]).toEqual(['on', 'off', 'dev']);
  });

  test('overrides single limits by a file and keeps the others', () => {
    const path = file('{"reads": {"points": 5, "seconds": 10}}');
    expect(rules(path)).toEqual({ mode: 'dev', overrides: { reads: { points: 5, seconds: 10 } } });
    const changed = table(rules(path));
    const others = (each: LimitTable) => each.limitsFor(false).filter(({ name }) => name !== 'reads');
    expect(changed.limitFor({ name: 'reads' }, false)).toEqual({
      name: 'reads',
      points: 5,
      seconds: 10,
      per: 'address',
    });
    expect(others(changed)).toEqual(others(table({})));
  });

  test('rejects a missing file with an explanation', () => {
    expect(() => rules('nothing.json')).toThrow(
      'RATE_LIMITS: "nothing.json" must be on, dev, off, or the path of a readable JSON file.',
    );
  });

  test.each([
    '{"reads": {"points": 0, "seconds": 1}}',
    '{"reads": {"points": 1.5, "seconds": 1}}',
    '{"reads": {"points": 1}}',
    '{"reads": {"points": 1, "seconds": 1, "per": "muse"}}',
    '{"reads": 5}',
    '{"reads": null}',
  ])('rejects a file with %s and explains the format', text => {
    expect(() => rules(file(text))).toThrow(/^RATE_LIMITS: .*"reads" must be \{"points": n, "seconds": s\}/);
  });

  test.each(['{', '[]', 'null'])('rejects a file with the content %s and explains the format', text => {
    expect(() => rules(file(text))).toThrow(/^RATE_LIMITS: .* must contain a JSON object/);
  });

  test('requires seconds for a window and none for a number of places', () => {
    const [reads, tails] = [{ reads: { points: 1, seconds: 0 } }, { event_tails: { points: 1, seconds: 60 } }];
    expect(() => table({ overrides: reads })).toThrow('"reads" has a window: set seconds to at least 1.');
    expect(() => table({ overrides: tails })).toThrow('"event_tails" limits concurrent requests');
    const { overrides } = rules(file('{"event_tails": {"points": 8, "seconds": 0}}'));
    expect(table({ overrides }).concurrencyMax({ name: 'event_tails' })).toBe(8);
  });

  test('the RATE_LIMITS setting rejects an unknown limit and lists the known limits', () => {
    const unknown = { redes: { points: 1, seconds: 1 } };
    expect(() => table({ overrides: unknown })).toThrow(/^the limit "redes" does not exist\. Limits: .*reads, /);
  });
});

describe('the table of limits', () => {
  test('has every limit of the interface', () => {
    const figures = table({})
      .limitsFor(false)
      .map(({ name, points, seconds, per }) => `${name} ${points}/${seconds} ${per}`);
    expect(figures).toEqual(
      expect.arrayContaining([
        'requests 60/60 muse',
        'failed_authentications 30/3600 address',
        'new_identities 10/3600 address',
        'reads 600/60 address',
        'unsigned 600/60 address',
        'whoami 60/3600 muse',
        'join 20/3600 muse',
        'profile 30/3600 muse',
        'connect 60/86400 muse',
        'apply_new 6/86400 muse',
        'apply_edit 10/3600 muse',
        'job 10/86400 muse',
        'inbox 60/3600 muse',
        'inbox_wait 240/3600 muse',
        'endorse 30/86400 muse',
        'recommend 10/86400 muse',
        'message 60/3600 muse',
        'deliver 30/3600 muse',
        'recheck 30/3600 muse',
        'payment_attempts 30/3600 muse',
        'payment_refusals 10/600 muse',
      ]),
    );
    expect(new Set(figures).size).toBe(figures.length);
  });

  test('raises new identities for loopback in dev mode unless a file sets them', () => {
    const points = (rules: Partial<LimitRules>) =>
      [true, false].map(isLoopback => table(rules).limitFor(NEW_IDENTITIES, isLoopback).points);
    expect(points({ mode: 'on' })).toEqual([10, 10]);
    expect(points({ mode: 'dev' })).toEqual([600, 10]);
    expect(points({ mode: 'dev', overrides: { new_identities: { points: 3, seconds: 60 } } })).toEqual([3, 3]);
  });

  test('rejects two different limits with the same name', () => {
    const twice = [NEW_IDENTITIES, { ...NEW_IDENTITIES, points: 1 }];
    expect(() => new LimitTable(twice, { mode: 'on', overrides: {} })).toThrow(
      'two limits are named "new_identities".',
    );
  });
});

describe('a caller address', () => {
  const callers = (clock: TestClock, secret = 'a secret') => new CallerAddresses(Buffer.from(secret), clock);
  const ADDRESS = '192.0.2.7';

  test('is recognized as loopback in each of its forms', () => {
    const trackers = callers(new TestClock());
    const loopback = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'];
    expect(loopback.map(ip => trackers.of(ip).isLoopback)).toEqual([true, true, true, true]);
    expect([ADDRESS, '2001:db8::1', 'unknown'].map(ip => trackers.of(ip).isLoopback)).toEqual([false, false, false]);
  });

  test('has the same hash in each process and another for each secret and day', () => {
    const clock = new TestClock(Date.UTC(2026, 10, 21, 12));
    const hash = (each = callers(clock)) => each.hashesOf(ADDRESS, 3_600).now;
    const today = hash();
    expect(hash()).toBe(today);
    expect(today).not.toContain(ADDRESS);
    expect(hash(callers(clock, 'another'))).not.toBe(today);
    clock.advance(DAY_MS);
    expect(hash()).not.toBe(today);
  });

  test('keeps its previous hash while a window of the day before can be open', () => {
    const clock = new TestClock(Date.UTC(2026, 10, 21, 23, 59));
    const trackers = callers(clock);
    const before = trackers.hashesOf(ADDRESS, 3_600);
    expect(before.before).toBeUndefined();
    clock.advance(60 * MINUTE_MS);
    expect(trackers.hashesOf(ADDRESS, 3_600)).toMatchObject({ before: before.now });
    clock.advance(MINUTE_MS);
    expect(trackers.hashesOf(ADDRESS, 3_600).before).toBeUndefined();
  });
});

describe('the read limit', () => {
  test('counts reads by address for a minute and refuses excess reads', () => {
    const clock = new TestClock();
    const reads = new ReadLimit(table({}), new CallerAddresses(Buffer.from('s'), clock), clock);
    for (let times = 1; times < 600; times += 1) expect(reads.count('192.0.2.7').refusal).toBeUndefined();
    expect(reads.count('192.0.2.7').headers).toEqual({
      'ratelimit-policy': '"reads";q=600;w=60',
      ratelimit: '"reads";r=0;t=60',
    });
    clock.advance(20_000);
    expect(reads.count('192.0.2.7').refusal).toMatchObject({ details: { retryAfter: 40, more: { limit: 'reads' } } });
    expect(reads.count('192.0.2.8').refusal).toBeUndefined();
    clock.advance(40_000);
    expect(reads.count('192.0.2.7').refusal).toBeUndefined();
  });

  test.each([MINUTE_MS, 25 * 60 * MINUTE_MS])(
    'starts a new window soon after a clock jump of %d ms and back',
    jumpMs => {
      const clock = new TestClock();
      const reads = new ReadLimit(table({}), new CallerAddresses(Buffer.from('s'), clock), clock);
      clock.advance(jumpMs);
      for (let times = 0; times < 600; times += 1) reads.count('192.0.2.7');
      clock.advance(-jumpMs);
      for (let times = 0; times < 600; times += 1) reads.count('192.0.2.7');
      const { refusal } = reads.count('192.0.2.7');
      expect(refusal!.details.retryAfter).toBeLessThanOrEqual(60);
      clock.advance(MINUTE_MS);
      expect(reads.count('192.0.2.7').refusal).toBeUndefined();
    },
  );
});
