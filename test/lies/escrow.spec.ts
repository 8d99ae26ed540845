import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findingLine } from '#libs/audit/findings.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { EscrowStory } from './escrow-story.js';
import { audit } from './lie.js';
import { continueLog, LyingLog } from './lying-log.js';
import { UNSENT, WAITING } from './unsent-escrows.js';

let told: EscrowStory;
beforeAll(async () => void (told = await EscrowStory.tell()), 120_000);
afterAll(() => told.stop());

test('the honest log has no findings, and neither has its chain', async () => {
  expect((await audit(new LyingLog(told.story), told.rpc)).map(findingLine)).toEqual([]);
});

/** Replaces a text in all events. */
function replaceAll(log: LyingLog, one: string, other: string): void {
  for (const event of log.events) Object.assign(event, JSON.parse(JSON.stringify(event).replaceAll(one, other)));
}

const findingsOf = async (tell: (log: LyingLog) => void, rpc?: ReadonlyMap<string, string>) => {
  const log = new LyingLog(told.story);
  tell(log);
  return (await audit(log, rpc)).map(findingLine);
};

const ACCOUNT = `0x${'5'.repeat(40)}`;

/** Changes of many events that fit together. */
const WHOLE_LIES: readonly (readonly [what: string, finding: string, tell: (log: LyingLog) => void])[] = [
  [
    'another account in all events of the log',
    'another operator on the chain',
    log => replaceAll(log, log.first('EscrowFunded').data['operator'] as string, ACCOUNT),
  ],
  [
    'a deadline that is a minute earlier',
    'another authorizationExpiry on the chain',
    log => {
      const ms = log.first('EscrowFunded').data['capture_deadline'] as number;
      const seconds = ms / SECOND_MS;
      replaceAll(log, `"capture_deadline":${ms}`, `"capture_deadline":${ms - MINUTE_MS}`);
      replaceAll(log, `"capture_deadline":${seconds}}`, `"capture_deadline":${seconds - 60}}`);
    },
  ],
  [
    'a loss of a funding that no reorganisation took back',
    'was funded on the chain',
    log => {
      const funded = log.first('EscrowFunded');
      log.cutAfter(funded);
      const payment = new LyingLog(told.story).first('PaymentLost');
      const { data, cause } = log.first('PaymentApplied', each => each.data['payment'] === funded.data['payment']);
      const { tx, payment: id } = funded.data as { readonly tx: string; readonly payment: string };
      const lost = { ...payment.data, payment: id, muse_id: data['muse_id']!, tx, undone: false };
      log.insert(payment, { at: funded.at, cause, stream: `payment-${id}`, data: lost }, funded);
      continueLog(log);
    },
  ],
];

test.each(WHOLE_LIES)('%s is found with the chain alone', async (_what, finding, tell) => {
  expect(await findingsOf(tell)).toEqual([]);
  expect((await findingsOf(tell, told.rpc)).join()).toContain(finding);
});

test.each([
  ['a return of a wage before its time is over', 'not_delivered'],
  ['a release before its review is over', 'review_over'],
])('%s is found', async (_what, reason) => {
  const tell = (log: LyingLog) => {
    const decided = log.first('EscrowDecided', ({ data }) => data['reason'] === reason);
    const [first] = log.sameRequest(decided);
    for (const event of log.events.slice(log.events.indexOf(first!))) event.at -= 2 * HOUR_MS;
  };
  expect((await findingsOf(tell)).join()).toContain('decision');
});

const NOT_SENT = 'It was not followed by the end of its escrow';

test.each(UNSENT)('%s and not sent is found', async (_what, tell, finding) => {
  expect((await findingsOf(tell)).join()).toContain(`${NOT_SENT} ${finding}`);
});

test.each(WAITING)('%s is not called unsent', async (_what, tell) => {
  expect((await findingsOf(tell)).join()).not.toContain(NOT_SENT);
});
