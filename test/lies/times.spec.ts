import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

function dateEarlier(event: LyingEvent): void {
  event.at -= HOUR_MS;
}

lie('a job that is dated an hour earlier is found', 'time', log => dateEarlier(log.first('JobPosted')));

lie('a delivery by token that is dated an hour earlier is found', 'time', log =>
  dateEarlier(log.first('Delivered', ({ authorization }) => authorization.mode === 'bearer')),
);

lie('a settlement that is dated an hour earlier is found', 'time', log => dateEarlier(log.first('PaymentSettled')));

lie('an effect that is dated an hour before its payment is found', 'time', log =>
  dateEarlier(log.first('JobPosted', event => event.data['payment'] !== null)),
);

/** Writes that a clock is behind after the last event, and another event with the time of that clock. */
function moveClock(log: LyingLog, shownMs: number): void {
  const last = log.first('Delivered', ({ authorization }) => authorization.mode === 'bearer');
  log.cutAfter(last);
  const to = last.at - HOUR_MS;
  const moved = log.insert(
    log.first('OriginSet'),
    {
      type: 'ClockMoved',
      at: to,
      cause: `clock/${to}`,
      decided_by: 'move-clock@1',
      data: { from: last.at, to },
    },
    last,
  );
  const views = log.first('FeeWalletSet');
  log.insert(views, { at: to + shownMs, cause: 'fee-wallet/usdg-robinhood/0x0', data: views.data }, moved);
}

lie('an event that is two minutes before a clock move is found', 'time', log => moveClock(log, -2 * MINUTE_MS - 1));

/** Bases the first such event on the revision before the last one, which is older than two minutes. */
function baseOnOlder(log: LyingLog, type: string, category: string, ageMs = 2 * MINUTE_MS + SECOND_MS): void {
  const streamOf = ({ based_on: basis }: LyingEvent) =>
    Object.keys(basis).find(stream => stream.startsWith(`${category}-`) && basis[stream]! > 0);
  const event = log.first(type, event => streamOf(event) !== undefined);
  const stream = streamOf(event)!;
  log.cutAfter(event);
  const newest = log.events.find(({ stream: s, revision }) => s === stream && revision === event.based_on[stream]);
  event.based_on[stream]! -= 1;
  event.at = newest!.at + ageMs;
}

lie('an application of an agent as it was before its last change is found', 'stale', log =>
  baseOnOlder(log, 'Applied', 'muse'),
);

lie('a post of an agent as it was before its last change is found', 'stale', log => baseOnOlder(log, 'Posted', 'muse'));

lie('a payment of an agent as it was before its last change is found', 'stale', log =>
  baseOnOlder(log, 'PaymentAccepted', 'muse'),
);

see('an event may miss what was written a minute before it', log => baseOnOlder(log, 'Reacted', 'muse', MINUTE_MS));
