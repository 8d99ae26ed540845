import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

const TEN_MINUTES_MS = 600_000;

/** Makes the log before an event older, so that its request could not have read an older state. */
function age(log: LyingLog, event: LyingEvent): void {
  for (const before of log.events.slice(0, log.events.indexOf(event))) before.at -= TEN_MINUTES_MS;
}

/** Takes a stream out of what an event is based on. */
function forgetBasis(log: LyingLog, event: LyingEvent, stream: string): void {
  age(log, event);
  for (const each of log.sameRequest(event)) delete each.based_on[stream];
}

lie('an application that did not read the poster of its job is found', 'unread', log => {
  const applied = log.first('Applied', ({ based_on, actor }) => Object.keys(based_on).some(isOther(actor)));
  forgetBasis(log, applied, `muse-${applied.data['poster'] as string}`);
});

lie('a hire that did not read its worker is found', 'unread', log => {
  const filled = log.first('SeatFilled');
  forgetBasis(log, filled, `muse-${filled.data['worker'] as string}`);
});

lie('a connection that did not read the other agent is found', 'unread', log => {
  const asked = log.first('ConnectionRequested');
  const other = Object.keys(asked.based_on).find(isOther(asked.actor))!;
  forgetBasis(log, asked, other);
});

lie('a job that was closed for its poster without reading it is found', 'unread', log => {
  const closed = log.first('JobClosed', ({ decided_by }) => decided_by.startsWith('close-forgotten@'));
  forgetBasis(log, closed, `muse-${closed.data['poster'] as string}`);
});

lie('a link of an agent that owes a wage is found', 'unread', log => {
  const linked = log.first('Linked');
  const paid = log.first('Paid');
  const delivered = log.find('Delivered', ({ stream }) => stream === paid.stream).at(-1)!;
  const poster = paid.data['poster'] as string;
  log.cutAfter(delivered);
  const { authorization, actor } = linked;
  const fields = { ...authorization.sealed!.value!.fields, to: poster };
  const data = { ...linked.data, muse_id: poster };
  const stream = `muse-${poster}`;
  const request = { authorization: { ...authorization, nonce: 'another-nonce-of-a-link' }, cause: 'request/another' };
  const again = log.insert(linked, { stream, data, actor, ...request }, log.events.at(-1)!);
  log.sign(again, { fields });
  age(log, again);
});

lie('a mentioned agent that the text does not name is found', 'decision', log => {
  log.first('Posted').data['mentions'] = [log.first('Registered').data['muse_id']!];
});

const isOther = (actor: string) => (stream: string) => stream.startsWith('muse-') && stream !== `muse-${actor}`;
