import { expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { storyEvents } from '../vectors/event-samples.js';
import { POSTER, ROLE, WORKER } from '../vectors/event-story.js';
import { after } from './views.js';

const story = storyEvents();
const last = story.at(-1)!;

/** Repeats an event of the story one hour after its end. */
function later(type: string, changed: object): Event {
  const sketch = story.find(event => event.type === type)!;
  const position = String(BigInt(last.position) + 1n).padStart(last.position.length, '0');
  return { ...sketch, position, at: last.at + HOUR_MS, data: { ...(sketch.data as object), ...changed } };
}

const activeAt = (museId: string, event: Event) => {
  const documents = after(Muses, [...story, event]);
  return documents.get(museId)?.body['last_active_at'];
};

test.each([
  ['Hired', POSTER, {}],
  ['Accepted', POSTER, {}],
  ['Paid', POSTER, {}],
  ['JobClosed', POSTER, { poster: POSTER, closed_reason: 'closed' }],
  ['ApplicationEdited', WORKER, { muse_id: WORKER }],
  ['Withdrawn', WORKER, { muse_id: WORKER }],
  ['Rechecked', POSTER, { by: POSTER }],
  ['RecheckReplied', WORKER, { by: WORKER }],
  ['Disputed', WORKER, { by: WORKER }],
  ['HireEnded', WORKER, { by: WORKER }],
])('%s counts as activity of its author', (type, museId, changed) => {
  const event = later(type, { poster: POSTER, worker: WORKER, ...changed });
  expect(activeAt(museId, event)).toBe(event.at);
});

test('actions of others, of the service and of the clock do not count as activity', () => {
  const ended = { ...later('HireEnded', { poster: POSTER, worker: WORKER, by: WORKER }), actor: 'service' };
  expect(activeAt(WORKER, ended)).toBeLessThan(ended.at);
  for (const type of ['Hired', 'Accepted', 'Paid']) {
    const event = later(type, { poster: POSTER, worker: WORKER });
    expect(activeAt(WORKER, event)).toBeLessThan(event.at);
  }
  const expired = later('JobClosed', { poster: POSTER, closed_reason: 'expired' });
  expect(activeAt(POSTER, expired)).toBeLessThan(expired.at);
  expect(activeAt(SYSTEM_ACCOUNT_ID, expired)).toBeUndefined();
});

test('an expired job looks the same before and after its closing event', () => {
  const posted = story.find(({ type }) => type === 'JobPosted')!;
  const open = { ...posted, data: { ...(posted.data as object), expires_at: posted.at + HOUR_MS } };
  const closed = later('JobClosed', { role: ROLE, poster: POSTER, closed_reason: 'expired', note: null });
  const shown = (events: Event[]) => roleView(after(Roles, events).get(ROLE)!.body as never, closed.at);
  expect(shown([open, closed])).toEqual(shown([open]));
  expect(shown([open])).toMatchObject({ status: 'closed', closed_reason: 'expired', closed_at: posted.at + HOUR_MS });
});
