import { expect, test } from '@jest/globals';
import type { Event, Fact } from '#libs/kernel/event.js';
import { KeyBound, Muse, TokenIssued } from '#libs/domain/muse.js';
import { WebhookCreated, Webhooks, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import { asEvents, NOW } from '../../given.js';
import { POSTER } from '../features/worlds.js';
import { judge } from './judge.js';

/** Problems of the last fact of a stream. */
function problems(stream: string, facts: readonly Fact[], changed: Partial<Event> = {}): string {
  const events = asEvents(facts, stream);
  const last = { ...events.pop()!, ...changed };
  return judge([...events, last]).join();
}

test('a token must expire after it is issued, with no maximum lifetime', () => {
  const issued = (validMs: number) =>
    problems(
      Muse.streamName(POSTER),
      [TokenIssued({ muse_id: POSTER, hash: '0'.repeat(64), expires_at: NOW + validMs })],
      {
        at: NOW,
      },
    );
  expect([issued(1), issued(1e12)]).toEqual(['', '']);
  for (const validMs of [0, -1]) expect(issued(validMs)).toBe('The token had already expired when it was issued.');
});

test('only its own network can bind the key of a sibling identity', () => {
  const bound = (muse_id: string, mode: 'service' | 'bearer') =>
    problems(Muse.streamName(muse_id), [KeyBound({ muse_id, public_key: 'A'.repeat(43) })], {
      authorization: { mode } as Event['authorization'],
    });
  expect([bound('muse_sibling', 'service'), bound(POSTER, 'bearer')]).toEqual(['', '']);
  expect(bound('muse_sibling', 'bearer')).toContain('Only the network of a sibling identity');
});

test('the service may stop live webhooks, and remove only those that follow a task', () => {
  const muse_id = 'agent_owner00000';
  const hook = { webhook: 100_000_000_001, muse_id };
  const stopped = (form: 'standard' | 'a2a', reasons: ('removed' | 'gone')[], changed: Partial<Event> = {}) =>
    problems(
      Webhooks.streamName(muse_id),
      [
        WebhookCreated({ ...hook, form, url: 'https://hook.example/', events: null, about: null }),
        ...reasons.map(reason => WebhookStopped({ ...hook, reason })),
      ],
      { actor: 'service', decided_by: 'stop-webhook@1', ...changed },
    );
  expect([stopped('a2a', ['removed']), stopped('standard', ['gone'])]).toEqual(['', '']);
  expect(stopped('standard', ['removed'])).toContain('only its owner can remove it');
  expect(stopped('standard', ['gone', 'gone'])).toContain('The webhook had already stopped.');
  expect(stopped('standard', ['gone'], { actor: muse_id })).toContain('only service may do this');
});
