import { expect, test } from '@jest/globals';
import { audit, useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, honest } = useHonestLog();

/** The last other event of the type of a cause. */
function otherCause(log: LyingLog, event: LyingEvent): LyingEvent | undefined {
  const before = log.events.slice(0, log.events.indexOf(event));
  const cause = before.find(({ id }) => id === event.cause);
  return before.filter(({ id, type }) => type === cause?.type && id !== cause.id).at(-1);
}

const blame = (log: LyingLog, type: string, decision: string) => {
  const event = log.find(type, each => each.decided_by === decision && otherCause(log, each) !== undefined)[0]!;
  log.renameCause(event, otherCause(log, event)!);
};

lie('an offer of a job after another job is found', 'cause', log => blame(log, 'JobOffered', 'offer-job@1'));
lie('an end of a job after another link is found', 'cause', log => blame(log, 'JobClosed', 'close-forgotten@1'));
lie('an end of a connection after another erasure is found', 'cause', log =>
  blame(log, 'Disconnected', 'end-connection@1'),
);
lie('a settlement after another payment is found', 'cause', log => blame(log, 'PaymentSettled', 'settle-payment@1'));
lie('a claim after another payment is found', 'cause', log => blame(log, 'Claimed', 'claim@1'));

test('another event of the type of its cause is found for every decision', async () => {
  const decisions = new Set<string>();
  const unnoticed: string[] = [];
  for (const [index, { decided_by: decision, type }] of honest().events.entries()) {
    const log = honest();
    const event = log.events[index]!;
    const other = event.data && otherCause(log, event);
    if (!other || decisions.has(`${decision} ${type}`)) continue;
    decisions.add(`${decision} ${type}`);
    const changed = log.renameCause(event, other);
    log.cutAfter(changed.at(-1)!);
    const findings = await audit(log);
    if (!findings.some(({ position }) => changed.some(each => each.position === position)))
      unnoticed.push(`${decision} ${type}`);
  }
  expect(decisions.size).toBeGreaterThan(20);
  expect(unnoticed).toEqual([]);
});
