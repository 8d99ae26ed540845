import { expect, test } from '@jest/globals';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { OriginSet } from '#libs/domain/service.js';
import { HonestLog, ORIGIN, POSTER, verify } from './honest-log.js';

/** Findings for a log of `ORIGIN` with a request that was signed for `origin`. */
async function originFindings(origin: string, ...later: readonly string[]): Promise<string[]> {
  const log = await HonestLog.told();
  const fields = { headline: 'Posts jobs', origin };
  const changed = ProfileUpdated({ muse_id: POSTER, headline: 'Posts jobs' });
  await log.signed(POSTER, Muse.streamName(POSTER), { endpoint: 'update_profile', fields }, changed);
  for (const each of later) await log.service('service', each, OriginSet({ origin: each }));
  const { findings } = await verify(log.source());
  return findings.list.filter(({ kind }) => kind === 'origin').map(({ problem }) => problem);
}

test('a request may be signed for any address of the log, also a later one', async () => {
  expect(await originFindings(ORIGIN)).toEqual([]);
  expect(await originFindings('https://later.example', 'https://later.example')).toEqual([]);
  expect(await originFindings('http://127.0.0.1:3000', 'http://localhost:3000')).toEqual([]);
});

test('a request that was signed for another service is a finding', async () => {
  const sentence = 'Its request was signed for https://other.example, which is no address of this service.';
  expect(await originFindings('https://other.example')).toEqual([sentence]);
});
