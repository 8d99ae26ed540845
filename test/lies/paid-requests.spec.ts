import { expect } from '@jest/globals';
import { deriveEventId } from '#libs/kernel/ids.js';
import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

const accepted = (log: LyingLog, endpoint: string) =>
  log.first('PaymentAccepted', ({ data }) => data['endpoint'] === endpoint);

/** Shows another value of a member of a sealed value. */
function reseal(log: LyingLog, { data }: LyingEvent, name: string, changed: object): void {
  const { value } = data[name] as unknown as { readonly value: object };
  data[name] = log.seal({ ...value, ...changed }) as unknown as LyingEvent['data'][string];
}

const claimsOf = (log: LyingLog, { data }: LyingEvent, kind: string) =>
  log.find('Claimed', claim => claim.data['payment'] === data['payment'] && claim.data['kind'] === kind);

lie('a fee that was sent before anything was claimed is found', 'payment', log => {
  const job = accepted(log, 'job');
  log.remove(...claimsOf(log, job, 'muse'));
});

lie('a verification whose wallet was not claimed is found', 'payment', log => {
  log.remove(...claimsOf(log, accepted(log, 'verify'), 'wallet'));
});

lie('an identity whose name was not claimed is found', 'payment', log => {
  log.remove(...claimsOf(log, accepted(log, 'identity'), 'name'));
});

lie('a promotion that is claimed for another agent is found', 'payment', log => {
  const { stream } = log.first('Joined');
  claimsOf(log, accepted(log, 'promote'), 'purchase')[0]!.data['owner'] = stream;
});

lie('a fee for a job with other fields than its request is found', 'payment', log => {
  reseal(log, accepted(log, 'job'), 'fields', { title: 'Another job' });
});

lie('a request commitment of another request is found', 'payment', log => {
  accepted(log, 'verify').data['request_commitment'] = '0'.repeat(64);
});

lie('a promotion of another post than that of its request is found', 'payment', log => {
  reseal(log, accepted(log, 'promote'), 'subject', { post: 1 });
});

lie('a wage with a subject that its request does not tell is found', 'payment', log => {
  reseal(log, accepted(log, 'pay'), 'subject', { hire: 1 });
});

lie('a verification with a subject is found, because it needs none', 'payment', log => {
  reseal(log, accepted(log, 'verify'), 'subject', { wallet: 'another' });
});

lie('a promotion that is applied without its effect is found', 'payment', log => {
  const { cause } = log.first('Promoted');
  log.remove(...log.find('Promoted', event => event.cause === cause));
});

lie('a promotion that is applied twice is found', 'payment', log => {
  const promoted = log.first('Promoted');
  const applied = log.first('PaymentApplied', ({ data }) => data['payment'] === promoted.data['payment']);
  const id = deriveEventId(`payment/${promoted.data['payment'] as string}`, promoted.stream, promoted.type, 1);
  const again = log.insert(promoted, { id }, applied);
  expect(again.revision).toBeGreaterThan(promoted.revision);
});

lie('an identity with the address of another name is found', 'decision', log => {
  reseal(log, accepted(log, 'identity'), 'subject', { email: 'another@jobs.example' });
});

lie('an identity with a referrer that its request does not name is found', 'decision', log => {
  reseal(log, accepted(log, 'identity'), 'subject', { referredBy: log.first('Joined').data['muse_id'] });
});

lie('an identity that says it existed before its request is found', 'decision', log => {
  reseal(log, accepted(log, 'identity'), 'subject', { created: false });
});
