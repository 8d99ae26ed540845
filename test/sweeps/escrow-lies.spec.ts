import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EscrowStory } from '../lies/escrow-story.js';
import { type EventLie, liesAboutEvent } from '../lies/event-lies.js';
import { KNOWN, ONLY_ON_CHAIN } from '../lies/known-escrow-lies.js';
import { audit } from '../lies/lie.js';
import { LyingLog } from '../lies/lying-log.js';

/** Changes each member of each event of an escrow. `test/lies/escrow.spec.ts` has changes that fit together. */
const TYPES = [
  'PaymentAccepted',
  'PaymentSubmitted',
  'PaymentSettled',
  'PaymentApplied',
  'PaymentLost',
  'SeatReserved',
  'SeatFilled',
  'Hired',
  'EscrowFunded',
  'EscrowDecided',
  'EscrowSubmitted',
  'EscrowReleased',
  'EscrowReturned',
  'EscrowStuck',
  'EscrowLost',
  'Paid',
  'EscrowClosed',
];

const CODES = {
  to: ['worker', 'poster'],
  step: ['capture', 'void'],
  outcome: ['applied', 'void'],
  reason: ['accepted', 'operator', 'not_delivered', 'reclaimed'],
};

let told: EscrowStory;
const onChain = new Set<string>();
const unnoticed = new Set<string>();
beforeAll(async () => void (told = await EscrowStory.tell()), 120_000);
afterAll(() => told.stop());

/** The first event of each kind, by its decision and where the money goes. */
function eventsOf(type: string): number[] {
  const log = new LyingLog(told.story);
  const hired = new Set(log.find('SeatReserved').map(({ data }) => data['payment']));
  const kinds = new Map<string, number>();
  for (const event of log.find(type, ({ data }) => !('payment' in data) || hired.has(data['payment']))) {
    const { to, step, outcome, reason } = event.data;
    const kind = JSON.stringify([event.decided_by, to, step, outcome, reason === 'reclaimed']);
    if (!kinds.has(kind)) kinds.set(kind, log.events.indexOf(event));
  }
  return [...kinds.values()];
}

/** The log up to the last event about the payment or hire of an event: what follows is about others. */
function logAbout(index: number): LyingLog {
  const log = new LyingLog(told.story);
  const { data, stream } = log.events[index]!;
  const name = JSON.stringify(data['payment'] ?? stream).slice(1, -1);
  const last = log.events.findLast(event => JSON.stringify(event).includes(name));
  log.cutAfter(last!);
  return log;
}

async function judge({ what, tell }: EventLie, index: number): Promise<void> {
  const log = logAbout(index);
  tell(log);
  if ((await audit(log)).length > 0) return;
  const isFound = (await audit(log, told.rpc)).length > 0;
  (isFound ? onChain : unnoticed).add(what);
}

test.each(TYPES)('each lie about %s is found or known', async type => {
  const events = eventsOf(type);
  expect(events.length).toBeGreaterThan(0);
  for (const [kind, index] of events.entries())
    for (const lie of liesAboutEvent(new LyingLog(told.story), index, CODES))
      if (kind === 0 || lie.isOfData) await judge(lie, index);
});

test('each lie that passes is known, and each known one still passes', () => {
  const sorted = (lies: Iterable<string>) => [...lies].sort();
  expect([sorted(unnoticed), sorted(onChain)]).toEqual([sorted(Object.keys(KNOWN)), sorted(ONLY_ON_CHAIN)]);
});
