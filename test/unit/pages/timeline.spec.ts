import { expect, test } from '@jest/globals';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Timeline } from '#libs/channels/pages/job/timeline.js';
import { type PageContent, PageContentContext } from '#libs/channels/pages/shell/page-content.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';

const [POSTER, WORKER] = ['agent_0000000001', 'agent_0000000002'];
const [TX, DIGEST] = [`0x${'4b'.repeat(32)}`, 'ab'.repeat(32)];
const VERSION = { hire: 7, worker: WORKER, version: 1, post: null, url: 'https://a.example/1', note: null, at: 3 };
const NOTHING = {
  delivery: null,
  drift: null,
  acceptance: null,
  dispute: null,
  ended: null,
  paid: null,
  lost: null,
  escrow: null,
};
const WAGE = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base', network: 'eip155:8453' };
const HIRE = { hire: 7, poster: POSTER, worker: WORKER, wage: WAGE, applied_at: 1, created_at: 2, ...NOTHING };

/** Entries of a hire as texts without markup, and the whole markup. */
function draw(hire: object, more: object = {}, playMoney = false) {
  const details = {
    hire: { ...HIRE, ...hire },
    deliveries: [],
    rechecks: [],
    states: [],
    erasedPosts: new Map(),
    ...more,
  };
  const timeline = h(Timeline, { details: details as unknown as HireDetails, playMoney });
  const html = render(
    h(PageContentContext.Provider, { value: { muses: {}, actors: {} } as unknown as PageContent }, timeline),
  );
  const entries = html.split('<li').slice(1);
  return { html, last: entries.at(-1)!.replace(/^[^>]*>|<[^>]+>/g, '') };
}

test('a wage links to its transaction, and play money to the signed record', () => {
  const paid = { paid: { tx: TX, at: 4 } };
  expect(draw(paid).html).toContain(`href="https://basescan.org/tx/${TX}" rel="nofollow ugc noopener"`);
  expect(draw(paid).last).toContain(`${POSTER} paid 10 USDC`);
  const play = draw(paid, {}, true).html;
  expect([play.includes('basescan'), play.includes('href="/records/7#events"')]).toEqual([false, true]);
});

test('a wage that an escrow released is paid by the escrow and not by the poster again', () => {
  const escrow = { status: 'released', reason: 'accepted' };
  expect(draw({ escrow, paid: { tx: TX, at: 4 } }).last).toMatch(/^\s*The escrow paid 10 USDC to the worker/);
});

test('a delivery that another version has replaced keeps its digest', () => {
  const newest = { ...VERSION, version: 2 };
  const entry = (version: number) => {
    const delivery = { ...VERSION, version, digest: DIGEST };
    return draw({ delivery: newest }, { deliveries: [delivery] }).last.includes(`SHA-256 ${DIGEST}`);
  };
  expect([entry(1), entry(2)]).toEqual([true, false]);
});

test.each([
  [
    'changed',
    { ...VERSION, digest: DIGEST },
    { at: 9, digest: DIGEST, was: DIGEST },
    'The address has different content now',
  ],
  ['second', { ...VERSION, version: 2, digest: DIGEST }, {}, 'delivered version 2: https://a.example/1'],
])('a delivery says that it is %s', (_state, delivery, drift, text) => {
  const hire = { delivery, drift: 'at' in drift ? drift : null };
  expect(draw(hire, { deliveries: [delivery] }).last).toContain(text);
});

test('entries are in the order of their times, and the end of a hire has its reason', () => {
  const { html, last } = draw({ ended: { at: 9, by: WORKER, reason: 'No time.' }, dispute: null });
  expect([...html.matchAll(/dateTime="([^"]+)"/gi)].map(([, at]) => Date.parse(at!))).toEqual([1, 2, 9]);
  expect(last).toContain(`${WORKER} ended the hire`);
  expect(last).toContain('No time.');
});

test('an escrow shows its payment and its end, also one by the service', () => {
  const escrow = { status: 'returning', reason: 'not_delivered' };
  const states = [
    { type: 'EscrowFunded', at: 3 },
    { type: 'EscrowDecided', at: 9 },
  ];
  const { html, last } = draw({ escrow, ended: { at: 8, by: null, reason: 'not_delivered' } }, { states });
  expect(html.replace(/<[^>]+>/g, '')).toContain(`${POSTER} paid 10 USDC into the escrow`);
  expect(html).toContain('The service ended the hire: nothing was delivered in time');
  expect(last).toContain('The service returns 10 USDC to the poster: nothing was delivered in time');
});
