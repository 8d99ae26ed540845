import { beforeAll, expect, test } from '@jest/globals';
import { AgentClient } from '#libs/client/index.js';
import { CHECKS } from '#libs/channels/pages/record/checks.js';
import { brokenIn, type Changes, checkedRecord, hireFor } from './checked-record.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';

const NOTE = 'I am fluent, <b>truly</b>.';
const HELD = Object.fromEntries(CHECKS.map(({ name }) => [name, 'holds']));
/** The delivery needs another host. */
const ALL = { ...HELD, delivery: 'skipped' };
const PAGE = '/records/*';
const OTHER_HOST = 'the delivery, because pages cannot load from other hosts';

describeInChromium('a record in Chromium', () => {
  let hire: number;
  let other: number;

  beforeAll(async () => {
    const [poster, worker] = await world.agents('poster', 'worker');
    hire = await hireFor(poster!, worker!, NOTE, 'usdc-base');
    other = await hireFor(poster!, worker!, 'For nothing.');
    await world.settle();
  }, START_MS);

  const checked = (changed: Changes = {}, of = hire) => checkedRecord(of, changed);

  test('passes every check that a browser can make alone', async () => {
    const { states, outcome, because, complaints } = await checked();
    expect([because, complaints]).toEqual([
      expect.arrayContaining([expect.stringContaining('The service reports: unchanged.')]),
      [],
    ]);
    expect(states).toEqual(ALL);
    expect(outcome).toBe(`Everything that this page can check holds. Not checked here: ${OTHER_HOST}.`);
  });

  test('without a wage says so', async () => {
    const { states, because } = await checked({}, other);
    expect(states).toEqual({ ...HELD, delivery: 'absent', payment: 'absent' });
    expect(because).toEqual(['Nothing was delivered.', 'The record has no payment.']);
  });

  test('is not fully verified if the service finds another content at the address', async () => {
    const isDifferent = (text: string) => text.replace('data-live="unchanged"', 'data-live="different now"');
    const { states, outcome } = await checked({ [PAGE]: isDifferent });
    expect([states['delivery'], brokenIn(states)]).toEqual(['unchecked', []]);
    expect(outcome).toMatch(/^Not fully verified: /);
  });

  test('counts actions by token, which are on the word of the service, as not checked', async () => {
    const [poster] = await world.agents('signer');
    const worker = await AgentClient.quickstart(world.url, { headline: 'Works by token' });
    const hire = await hireFor(poster!, worker, 'By token.');
    await worker.deliver({ hire, url: world.page('bonjour') });
    await world.settle();
    const { states, outcome, because } = await checked({}, hire);
    expect([states['actions'], brokenIn(states)]).toEqual(['unchecked', []]);
    expect(because).toContainEqual(expect.stringContaining('on the word of the service'));
    expect(outcome).toMatch(/^Not fully verified: \d+ of \d+ checks that apply hold, and \d were not checked here\.$/);
  });

  const LOG = '/api/events';
  const STREAM = '/api/events?stream=hire-*';
  /** Changes a character of a base64 value. */
  const other64 = (name: string) => (text: string) =>
    text.replace(
      new RegExp(`("${name}":"[^"]{40})(.)`, 'g'),
      (_all, before: string, last: string) => before + (last === 'A' ? 'B' : 'A'),
    );

  /** Cuts more than the events after the newest checkpoint. */
  const firstHalf = (text: string) => {
    const lines = text.split('\n');
    return lines.slice(0, lines.length / 2).join('\n');
  };

  test.each([
    ['the displayed values', { [PAGE]: (text: string) => text.replace('>10 USDC<', '>99 USDC<') }, ['shown']],
    [
      'the signed text',
      {
        [PAGE]: (text: string) =>
          text
            .replaceAll('10 USDC', '99 USDC')
            .replace('&quot;usd&quot;:&quot;10&quot;', '&quot;usd&quot;:&quot;99&quot;'),
      },
      ['shown', 'signature'],
    ],
    [
      'the signature',
      {
        [PAGE]: (text: string) =>
          text.replace(/(id="signature">.{20})(.)/, (_all, a: string, b: string) => a + (b === 'A' ? 'B' : 'A')),
      },
      ['signature'],
    ],
    ['an event', { [STREAM]: (text: string) => text.replace('"bytes":7', '"bytes":8') }, ['events', 'facts']],
    ['an event with its digest', { [STREAM]: other64('digest') }, ['events', 'facts', 'place']],
    ['the signature of an action', { [STREAM]: other64('signature') }, ['actions']],
    [
      'the signed fields',
      { [STREAM]: (text: string) => text.replace('"fields":{"hire":"', '"fields":{"hire":"1') },
      ['actions'],
    ],
    ['the owner of the key', { '/api/events?stream=muse-*': other64('public_key') }, ['keys']],
    [
      'the note',
      { '/api/events?stream=application-*': (text: string) => text.replaceAll('I am fluent', 'I am cheap') },
      ['note'],
    ],
    ['the log', { [LOG]: other64('digest') }, ['place']],
    ['the second half of the log', { [LOG]: firstHalf }, ['place']],
    [
      'the checkpoint',
      {
        '/api/events/checkpoint': (text: string) =>
          text.replace(/\n(\d+)\n/, (_all, size: string) => `\n${Number(size) - 1}\n`),
      },
      ['checkpoint', 'place'],
    ],
    [
      'the issuer’s key',
      {
        '/.well-known/service-issuer.json': (text: string) =>
          text.replaceAll(/("public_key":".{20})(.)/g, (_all, a: string, b: string) => a + (b === 'A' ? 'B' : 'A')),
      },
      ['signature', 'issuer', 'checkpoint'],
    ],
  ] as const)('fails its check after a change of %s', async (_what, changed, broken) => {
    const { states, outcome } = await checked(changed);
    expect(brokenIn(states)).toEqual(broken);
    expect(outcome).toMatch(/^Do not rely on this record: only \d+ of \d+ checks that apply hold[^.]*\.$/);
  });

  test('says that nothing is checked without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.url}/records/${hire}`);
    expect(await page.locator('#outcome').textContent()).toContain('Nothing on this page has been checked.');
    expect(await page.locator('#checks .state').allTextContents()).toEqual(CHECKS.map(() => 'not checked'));
    await context.close();
  });
});
