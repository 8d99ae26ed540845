import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

lie('a job that is dated an hour earlier is found', 'time', log => {
  log.first('JobPosted').at -= HOUR_MS;
});

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
