import { describe, expect, test } from '@jest/globals';
import { promote } from '#libs/features/feed/promote.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Post, PostDeleted } from '#libs/features/feed/domain/post.js';
import { commandContext, given, NOW } from '../../given.js';
import { POST } from '../../vectors/event-story.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { deciding, effectOf } from './deciding.js';
import { settled } from './purchases.js';
import * as world from './worlds.js';

const { POSTER, ROLE, WORKER } = world;
const posted = world.told('Posted');
const deleted = PostDeleted({ post: POST, muse_id: WORKER, parent_id: null, board: 'show' });
const promoted = (until: number) => world.told('Promoted', { until });

describe('a promotion', () => {
  const payment = settled({ muse_id: WORKER, subject: { post: POST } });
  const decides = (state: Post | Job) => [...promote.sale!.effect.decide(state, payment, deciding(WORKER), {})];

  test('lasts 24 hours from the request', () => {
    const [fact] = given(Post, posted).when(decides).thenTypes('Promoted');
    expect(fact!.data).toMatchObject({ post: POST, role: null, item: POST, by: WORKER, until: NOW + DAY_MS });
    const [role] = given(Job, world.plainJob()).when(decides).thenTypes('Promoted');
    expect(role!.data).toMatchObject({ post: null, role: ROLE, until: NOW + DAY_MS });
  });

  test('adds 24 hours while active, and starts again after it ended', () => {
    const until = (before: number) =>
      given(Post, posted, promoted(before)).when(decides).thenTypes('Promoted')[0]!.data as { until: number };
    expect(until(NOW + 5).until).toBe(NOW + 5 + DAY_MS);
    expect(until(NOW - 5).until).toBe(NOW + DAY_MS);
  });

  test('writes nothing for a deleted or closed item', () => {
    given(Post).when(decides).thenNothing();
    given(Post, posted, deleted).when(decides).thenNothing();
    given(Job, world.plainJob(), world.jobClosed()).when(decides).thenNothing();
    given(Job, world.plainJob({ expires_at: NOW }))
      .when(decides)
      .thenNothing();
  });
});

describe('the promotion effect', () => {
  const context = commandContext(WORKER, { requestKey: 'payment/1' });

  test('promotes once if it runs twice', async () => {
    const stores = await InMemoryStores.with(Post.streamName(POST), posted);
    const effect = effectOf(promote, stores);
    const payment = settled({ muse_id: WORKER, subject: { post: POST } });
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    expect((await effect.answer(payment, context)).body).toEqual({ post_id: POST, promoted_until: NOW + DAY_MS });
    expect(stores.types(Post.streamName(POST))).toEqual(['Posted', 'Promoted']);
  });

  test.each([
    [{ post_id: String(POST) }, { post: POST }, 'post_deleted'],
    [{ role: ROLE }, { role: ROLE }, 'role_closed'],
    [{ role: ROLE }, null, 'forgotten'],
  ])('is void for %j with the removed subject %j: %s', async (fields, subject, reason) => {
    const payment = settled({ muse_id: POSTER, fields, subject });
    const effect = effectOf(promote, new InMemoryStores());
    expect(await effect.apply(payment, context)).toMatchObject({ outcome: 'void', reason });
  });
});
