import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

const acceptedFor = (log: LyingLog, endpoint: string): LyingEvent =>
  log.first('PaymentAccepted', ({ data }) => data['endpoint'] === endpoint);

const TEN_MINUTES_MS = 600_000;

lie('a wage for a hire without a delivery is found', 'decision', log => {
  const accepted = acceptedFor(log, 'pay');
  const hire = Object.keys(accepted.based_on).find(stream => stream.startsWith('hire-'))!;
  accepted.based_on[hire] = 0;
});

lie('a promotion of the post of another agent is found', 'decision', log => {
  const accepted = acceptedFor(log, 'promote');
  const other = log.first('Joined', ({ actor }) => actor !== accepted.actor);
  accepted.based_on[other.stream] = log.revisionBefore(accepted, other.stream);
  accepted.actor = other.actor;
});

lie('another price of a job is found', 'decision', log => {
  acceptedFor(log, 'job').data['amount'] = '1';
});

lie('a second verification of a verified wallet is found', 'decision', log => {
  const accepted = acceptedFor(log, 'verify');
  const { stream } = log.first('Verified', ({ actor }) => actor === accepted.actor);
  const last = log.events.at(-1)!;
  const nonce = 'another-nonce-of-a-payment';
  const data = { ...accepted.data, payment: `${accepted.data['payment'] as string}0` };
  const based_on = { [stream]: log.revisionBefore(last, stream) };
  const authorization = { ...accepted.authorization, nonce };
  log.insert(accepted, { data, based_on, authorization, stream: `${accepted.stream}0`, cause: 'request/again' }, last);
});

lie('a wage whose purchase did not read its worker is found', 'unread', log => {
  const accepted = acceptedFor(log, 'pay');
  for (const before of log.events.slice(0, log.events.indexOf(accepted))) before.at -= TEN_MINUTES_MS;
  for (const stream of Object.keys(accepted.based_on))
    if (stream.startsWith('muse-') && stream !== `muse-${accepted.actor}`) delete accepted.based_on[stream];
});
