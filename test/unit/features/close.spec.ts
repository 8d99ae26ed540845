import { describe, expect, test } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { close } from '#libs/features/jobs/close.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { asEvents, given, NOW } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, ROLE, STRANGER } = world;
const by = (actor: string, changed: { readonly reason?: string } = {}) =>
  decides(close, { role: ROLE, ...changed }, actor);

describe('closing a role', () => {
  test('records the poster, the role and the reason', () => {
    const [fact] = given(Job, world.plainJob())
      .when(by(POSTER, { reason: 'It is done otherwise.' }))
      .thenTypes('JobClosed');
    const why = { closed_reason: 'closed', note: 'It is done otherwise.' };
    expect(fact!.data).toEqual({ role: ROLE, poster: POSTER, ...why });
  });

  test('needs no reason', () => {
    const [fact] = given(Job, world.plainJob())
      .when(by(POSTER, { reason: '' }))
      .thenTypes('JobClosed');
    expect(fact!.data).toMatchObject({ note: null });
  });

  test('is refused for an unknown role', () => {
    given(Job).when(by(POSTER)).thenRefused('not_found', 'role');
  });

  test('is refused to a muse that is not the poster', () => {
    given(Job, world.plainJob()).when(by(STRANGER)).thenRefused('not_the_poster');
    given(Job, world.houseJob()).when(by(POSTER)).thenRefused('not_the_poster');
  });

  test('works for the house on its own role', () => {
    const [fact] = given(Job, world.houseJob()).when(by(SYSTEM_ACCOUNT_ID)).thenTypes('JobClosed');
    expect(fact!.data).toMatchObject({ poster: null });
  });

  test('changes nothing on a closed role', () => {
    given(Job, world.plainJob(), world.jobClosed()).when(by(POSTER)).thenNothing();
    given(Job, world.plainJob(), world.seatFilled(), world.jobClosed('filled')).when(by(POSTER)).thenNothing();
  });
});

test('closing an expired job changes nothing', () => {
  given(Job, world.plainJob({ expires_at: NOW }))
    .when(by(POSTER))
    .thenNothing();
});

describe('the close command', () => {
  test('closes once and returns the same response, for the same and another request', async () => {
    const stores = new InMemoryStores();
    await stores.journal.append(Job.streamName(ROLE), 'none', asEvents([world.plainJob()], Job.streamName(ROLE)));
    const run = running(close, stores);
    const request = stores.request(POSTER);
    const first = await run({ role: ROLE }, request);
    expect(first.body).toEqual({ role: ROLE, status: 'closed' });
    expect(await run({ role: ROLE }, request)).toEqual(first);
    expect(await run({ role: ROLE }, stores.request(POSTER))).toEqual(first);
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'JobClosed']);
  });

  test('writes nothing if the caller is not the poster', async () => {
    const stores = new InMemoryStores();
    await stores.journal.append(Job.streamName(ROLE), 'none', asEvents([world.plainJob()], Job.streamName(ROLE)));
    const refused = running(close, stores)({ role: ROLE }, stores.request(STRANGER));
    expect(await refusalOf(refused)).toMatchObject({ code: 'not_the_poster' });
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted']);
  });
});
