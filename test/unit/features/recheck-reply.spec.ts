import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { recheckReply } from '#libs/features/hires/recheck-reply.js';
import { given } from '../../given.js';
import { decides, running } from './deciding.js';
import { storesWithHire } from './hires.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, STRANGER, WORKER } = world;
const RECHECK = 310_000_000_001;
const sent = { hire: String(HIRE), recheck: String(RECHECK), text: 'Thank you.' };
const by = (actor: string, changed: object = {}) => decides(recheckReply, { ...sent, ...changed }, actor);
const rechecked = [world.hired(), world.delivered(), world.rechecked()];

describe('replying to a recheck', () => {
  test('is open to the poster and the worker', () => {
    for (const actor of [POSTER, WORKER]) {
      const [fact] = given(Hire, ...rechecked)
        .when(by(actor))
        .thenTypes('RecheckReplied');
      expect(fact!.data).toMatchObject({ hire: HIRE, recheck: RECHECK, by: actor, text: 'Thank you.' });
    }
  });

  test('works on a recheck of an older delivery', () => {
    given(Hire, ...rechecked, world.delivered(2))
      .when(by(WORKER))
      .thenTypes('RecheckReplied');
  });

  test('is refused on a hire that does not exist', () => {
    given(Hire).when(by(WORKER)).thenRefused('not_found', 'hire');
  });

  test('is refused to others, including the checker', () => {
    for (const actor of [CHECKER, STRANGER])
      given(Hire, ...rechecked)
        .when(by(actor))
        .thenRefused('not_a_party');
  });

  test('is refused for an unknown recheck', () => {
    given(Hire, ...rechecked)
      .when(by(WORKER, { recheck: '310000000009' }))
      .thenRefused('not_found', 'recheck');
    given(Hire, world.hired()).when(by(WORKER)).thenRefused('not_found', 'recheck');
  });
});

test('a repeated request replies once, and another request replies again', async () => {
  const stores = await storesWithHire(...rechecked);
  const run = running(recheckReply, stores);
  const request = stores.request(WORKER);
  const first = await run(sent, request);
  expect(await run(sent, request)).toEqual(first);
  expect(first.body).toEqual({});
  await run({ ...sent, text: 'I looked again.' }, stores.request(WORKER));
  expect(stores.types(Hire.streamName(HIRE)).slice(3)).toEqual(['RecheckReplied', 'RecheckReplied']);
});
