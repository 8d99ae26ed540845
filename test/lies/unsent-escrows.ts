import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

type Where = (event: LyingEvent) => boolean;

/** Logs that end with a decided escrow whose money the service keeps. */
type UnsentEscrow = readonly [what: string, tell: (log: LyingLog) => void, finding?: string];

/** Appends copies of an event, each some time after the one before it. */
function repeat(log: LyingLog, event: LyingEvent, count: number, everyMs: number): void {
  const { at } = log.events.at(-1)!;
  for (let index = 1; index <= count; index += 1) log.insert(event, { at: at + index * everyMs }, log.events.at(-1)!);
}

const isOnBase: Where = ({ data }) => (data['payment'] as string).startsWith('8453:');

/** Signed again, as after a refusal of the node. */
const useChain = (log: LyingLog, count: number, everyMs = HOUR_MS) =>
  repeat(log, log.first('PaymentSubmitted', isOnBase), count, everyMs);
const useService = (log: LyingLog, count: number, everyMs = DAY_MS) =>
  repeat(log, log.first('OriginSet'), count, everyMs);

/** Ends the log with the decision, or with a later event of the same escrow. */
function keepMoney(log: LyingLog, to: string, type = 'EscrowDecided'): LyingEvent {
  const decided = log.first('EscrowDecided', ({ data }) => data['to'] === to);
  log.cutAfter(log.first(type, ({ data }) => data['payment'] === decided.data['payment']));
  return decided;
}

function waitForLastDays(log: LyingLog, decided: LyingEvent): void {
  const funded = log.first('EscrowFunded', ({ data }) => data['payment'] === decided.data['payment']);
  const at = (funded.data['capture_deadline'] as number) - 3 * DAY_MS;
  log.insert(log.first('OriginSet'), { at }, log.events.at(-1)!);
}

const USED = 'in 24 hours in which the service used the chain';

/** The third member is in the finding. */
export const UNSENT: readonly UnsentEscrow[] = [
  ['a return that is decided', log => (keepMoney(log, 'poster'), useChain(log, 25)), USED],
  ['a return that is signed', log => (keepMoney(log, 'poster', 'EscrowSubmitted'), useChain(log, 25)), USED],
  [
    'a return by a service that has no payments',
    log => (keepMoney(log, 'poster'), useService(log, 31)),
    'on 30 days on which the service wrote events',
  ],
  [
    'a release that its contract could not refuse any longer',
    log => (waitForLastDays(log, keepMoney(log, 'worker')), useChain(log, 25)),
    USED,
  ],
  ['a return of a wage whose hire was not made', log => (keepVoid(log), useChain(log, 25)), USED],
];

function keepVoid(log: LyingLog): void {
  log.cutAfter(log.first('PaymentApplied', ({ data }) => data['outcome'] === 'void' && data['endpoint'] === 'hire'));
}

/** Ends the log before the decision, goes on with a clock that is ahead, and decides after it is right again. */
function decideAfterClock(log: LyingLog): void {
  const decided = keepMoney(log, 'poster');
  const { at } = decided;
  log.cutAfter(log.events[log.events.indexOf(decided) - 1]!);
  useChain(log, 30, DAY_MS);
  const from = log.events.at(-1)!.at;
  log.insert(log.first('OriginSet'), { type: 'ClockMoved', at, data: { from, to: at } }, log.events.at(-1)!);
  log.insert(decided, {}, log.events.at(-1)!);
  useChain(log, 20);
}

/** The contract of the token refuses the return, and the log says so. */
function stick(log: LyingLog): void {
  const stuck = log.first('EscrowStuck');
  log.cutAfter(stuck);
  useChain(log, 30);
}

export const WAITING: readonly UnsentEscrow[] = [
  ['a return that waits for a day with payments', log => (keepMoney(log, 'poster'), useChain(log, 23))],
  ['a return that waits for 29 days without the chain', log => (keepMoney(log, 'poster'), useService(log, 29))],
  ['a return of a service that was down', log => (keepMoney(log, 'poster'), useChain(log, 2, 60 * DAY_MS))],
  ['a return that the token refuses', stick],
  ['a return after a clock that was months ahead', decideAfterClock],
  ['a release that its contract may refuse for now', keepRelease],
];

function keepRelease(log: LyingLog): void {
  keepMoney(log, 'worker');
  useChain(log, 30);
}
