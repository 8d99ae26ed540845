import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { DECISIONS } from '#libs/service/decision-table.js';
import { useHonestLog } from './lie.js';
import { continueLog, dueWage, type LyingEvent, type LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

function cutBefore(log: LyingLog, event: LyingEvent): void {
  log.cutAfter(log.events[log.events.indexOf(event) - 1]!);
}

const REACTIONS = [...DECISIONS].filter(
  ([, { followUps, writes }]) =>
    followUps &&
    !followUps.dueAt &&
    followUps.after.length > 0 &&
    writes.some(type => EVENT_TYPES.get(type)?.privateType === false),
);

for (const [name] of REACTIONS)
  lie(`what ${name} leaves out is found`, 'missing', log => {
    const events = log.events.filter(({ decided_by: decision }) => decision === name);
    cutBefore(log, events.at(-1)!);
    continueLog(log, 10);
  });

/** Takes the end of one thing out that ended with its agent. */
function keepOpen(log: LyingLog, type: string, end: 'Forgotten' | 'Linked'): void {
  const ends = new Set(log.find(end).map(({ id }) => id));
  log.remove(log.first(type, ({ cause }) => ends.has(cause)));
  continueLog(log, 10);
}

for (const end of ['Forgotten', 'Linked'] as const) {
  lie(`a single job that stays open after ${end} is found`, 'missing', log => keepOpen(log, 'JobClosed', end));
  lie(`a single application that stays open after ${end} is found`, 'missing', log => keepOpen(log, 'Withdrawn', end));
  lie(`a single hire that does not end after ${end} is found`, 'missing', log => keepOpen(log, 'HireEnded', end));
}

lie('a hire whose escrow is not shown as funded is found', 'missing', log => {
  cutBefore(log, log.first('EscrowFunded'));
  continueLog(log, 10);
});

const escrowEvent = (log: LyingLog, type: string) =>
  log.first(type, ({ stream }) => stream === log.first('EscrowFunded').stream);

/** An event that ended the wait for a decision by the clock, and the days after which the service would make it. */
const CLOCKS: readonly (readonly [name: string, before: string, days: number])[] = [
  ['a return of a wage without a delivery', 'Delivered', 7],
  ['a release at the end of a review', 'EscrowDecided', 3],
];

for (const [name, type, days] of CLOCKS) {
  const wait = (log: LyingLog, laterDays: number, minutes: number) => {
    const [event] = log.sameRequest(escrowEvent(log, type));
    cutBefore(log, event!);
    continueLog(log, minutes, { laterMs: laterDays * DAY_MS });
  };
  lie(`${name} that is withheld is found`, 'missing', log => wait(log, days, 14));
  see(`${name} may follow nine minutes after its time`, log => wait(log, days, 8), 'withheld');
  see(`${name} is not due a day before its time`, log => wait(log, days - 1, 20), 'withheld');
}

/** Waits for the deadline of a hire whose delivery is taken out. */
function waitForDeadline(log: LyingLog, hours: number, minutes: number): void {
  const { stream } = log.first('Hired', ({ data }) => data['deliver_by'] !== undefined);
  cutBefore(
    log,
    log.first('Delivered', each => each.stream === stream),
  );
  continueLog(log, minutes, { laterMs: hours * HOUR_MS });
}

lie('a reminder of a deadline that is withheld is found', 'missing', log => waitForDeadline(log, 12, 14));
lie('an end at a deadline that is withheld is found', 'missing', log => waitForDeadline(log, 24, 14));
see('a deadline is not due an hour before its reminder', log => waitForDeadline(log, 11, 30), 'withheld');
see('a reminder may follow nine minutes after its time', log => waitForDeadline(log, 12, 8), 'withheld');

/** Ends the log before the service says that a wage is due. */
function waitForWage(log: LyingLog, minutes: number): void {
  cutBefore(log, dueWage(log));
  continueLog(log, minutes);
}

lie('a due wage that is not said is found', 'missing', log => waitForWage(log, 14));
see('a due wage may be said nine minutes after its time', log => waitForWage(log, 8), 'withheld');

/** Suspends the poster before its wage is due, and reinstates it after the wage would have been. */
function suspendPoster(log: LyingLog, isReinstated: boolean): void {
  const muse_id = dueWage(log).data['poster'] as string;
  const [suspended, reinstated] = [log.first('Suspended'), log.first('Reinstated')];
  const append = (like: LyingEvent) =>
    log.insert(like, { stream: `muse-${muse_id}`, data: { ...like.data, muse_id } }, log.events.at(-1)!);
  cutBefore(log, dueWage(log));
  append(suspended);
  continueLog(log, 14);
  if (!isReinstated) return;
  append(reinstated);
  continueLog(log, 14);
}

lie('a wage that is due again after a suspension and not said is found', 'missing', log => suspendPoster(log, true));
see('a wage is not due while its poster is suspended', log => suspendPoster(log, false), 'withheld');

see(
  'a service that did not run says only the newest state of a wage',
  log => {
    const due = dueWage(log);
    cutBefore(log, due);
    continueLog(log, 1, { laterMs: 31 * DAY_MS });
    const data = { ...due.data, state: 'overdue' };
    const at = log.events.at(-1)!.at;
    log.insert(due, { at, cause: `wage-due/${due.data['hire'] as number}/${at}`, data }, log.events.at(-1)!);
    continueLog(log, 14);
  },
  'withheld',
);

see(
  'a hire that is not complete after nine minutes may follow',
  log => {
    cutBefore(log, log.find('Hired').at(-1)!);
    continueLog(log, 9);
  },
  'withheld',
);

see(
  'a service that did not run for days owes no hire',
  log => {
    cutBefore(log, log.find('Hired').at(-1)!);
    continueLog(log, 3, { everyMs: DAY_MS });
  },
  'withheld',
);

see('a log in which nothing is left out has no findings later', log => continueLog(log, 30));
