import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

/** Takes the effect of a payment out of the log and calls the payment void. */
function voidPayment(log: LyingLog, endpoint: string, reason: string): LyingEvent {
  const applied = log.first('PaymentApplied', ({ data }) => data['endpoint'] === endpoint);
  const accepted = log.first('PaymentAccepted', ({ data }) => data['payment'] === applied.data['payment']);
  log.cutAfter(applied);
  log.remove(...log.events.filter(({ cause, decided_by: by }) => cause === accepted.id && /-effect@/.test(by)));
  Object.assign(applied.data, { outcome: 'void', reason });
  return applied;
}

/** Names the stream that the effect read, as it was then. */
function nameStream(log: LyingLog, applied: LyingEvent, stream: string): void {
  applied.based_on[stream] = log.revisionBefore(applied, stream);
}

lie('a promotion that is void for a post that was not deleted is found', 'void', log => {
  const target = log.first('Promoted', ({ data }) => data['post'] !== null).stream;
  nameStream(log, voidPayment(log, 'promote', 'post_deleted'), target);
});

lie('a void payment that names no stream of its effect is found', 'void', log => {
  voidPayment(log, 'promote', 'post_deleted');
});

lie('a fee that is void although its job could be posted is found', 'void', log => {
  voidPayment(log, 'job', 'overtaken');
});

lie('a verification that is void as linked for an agent that was not linked is found', 'void', log => {
  const { stream } = log.first('Verified', ({ decided_by: by }) => by.startsWith('verify-'));
  nameStream(log, voidPayment(log, 'verify', 'linked'), stream);
});

lie('a verification that is void for a reason of another endpoint is found', 'void', log => {
  const { stream } = log.first('Verified', ({ decided_by: by }) => by.startsWith('verify-'));
  nameStream(log, voidPayment(log, 'verify', 'post_deleted'), stream);
});

lie('a fee that is void as forgotten without the erasure of its payer is found', 'void', log => {
  voidPayment(log, 'job', 'forgotten');
});

lie('a wage that is void although it is owed is found', 'void', log => {
  const { stream } = log.first('Paid');
  nameStream(log, voidPayment(log, 'pay', 'overtaken'), stream);
});
