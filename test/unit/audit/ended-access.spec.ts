import { expect, test } from '@jest/globals';
import { FEATURES } from '#libs/features/features.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { KeyBound, Muse, ProfileUpdated, Reinstated, Suspended, TokenIssued, TokenRevoked } from '#libs/domain/muse.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { HonestLog, THIRD, verify } from './honest-log.js';
import { canWriteWhileSuspended, ENDPOINTS_WHILE_SUSPENDED } from '#libs/domain/suspension.js';

const SEED = new Uint8Array(32).fill(77);
const MINUTE_MS = 60_000;

/** Log in which THIRD replaces its key. */
async function replaced() {
  const log = await HonestLog.told();
  const registered = (await log.shown()).find(({ type, actor }) => type === 'Registered' && actor === THIRD)!;
  const { public_key: replaces } = registered.data as { readonly public_key: string };
  const public_key = publicKeyOf(SEED);
  const key = { endpoint: 'key', fields: { public_key } };
  log.stores.clock.advance(1);
  await log.signed(THIRD, Muse.streamName(THIRD), key, KeyBound({ muse_id: THIRD, public_key, replaces }));
  log.stores.clock.advance(1);
  return log;
}

function says(log: HonestLog, seed?: Uint8Array) {
  const request = { endpoint: 'profile', fields: { headline: 'New' }, ...(seed && { seed }) };
  return log.signed(THIRD, Muse.streamName(THIRD), request, ProfileUpdated({ muse_id: THIRD, headline: 'New' }));
}

const problems = async (events: readonly PublicEvent[]) =>
  (await verify(events)).findings.list.map(({ problem }) => problem).join(' ');

test('a replaced key is accepted for requests in flight and rejected later', async () => {
  const log = await replaced();
  await says(log, SEED);
  expect(await problems(await log.shown())).toBe('');
  log.stores.clock.advance(MINUTE_MS);
  await says(log);
  expect(await problems(await log.shown())).not.toContain('had ended before');
  log.stores.clock.advance(2 * MINUTE_MS);
  await says(log);
  expect(await problems(await log.shown())).toContain(`of ${THIRD}, which had ended before.`);
});

test('a suspended muse is limited to permitted actions until it is reinstated', async () => {
  const log = await HonestLog.told();
  const problemParts = async () =>
    (await problems(await log.shown())).split(`${THIRD} was suspended when it made the request.`);
  const stream = Muse.streamName(THIRD);
  await log.service(stream, 'suspends', Suspended({ muse_id: THIRD }));
  await says(log);
  expect(await problemParts()).toHaveLength(1);
  log.stores.clock.advance(3 * MINUTE_MS);
  const revoke = { endpoint: 'token', fields: { action: 'revoke' } };
  await log.signed(THIRD, stream, revoke, TokenRevoked({ muse_id: THIRD, hashes: [] }));
  expect(await problemParts()).toHaveLength(1);
  await says(log);
  expect(await problemParts()).toHaveLength(2);
  const issued = { muse_id: THIRD, hash: 'a'.repeat(64), expires_at: log.stores.clock.now() };
  await log.signed(THIRD, stream, { endpoint: 'token', fields: { action: 'issue' } }, TokenIssued(issued));
  expect(await problemParts()).toHaveLength(3);
  await log.service(stream, 'reinstates', Reinstated({ muse_id: THIRD }));
  await says(log);
  expect(await problemParts()).toHaveLength(3);
});

test('a suspended muse keeps inbox, whoami, key, forget and token revocation', () => {
  const endpoints = FEATURES.flatMap(({ commands, privateQueries }) => [...commands, ...privateQueries]).map(
    ({ endpoint }) => endpoint,
  );
  const openTo = (type: string) => endpoints.filter(endpoint => canWriteWhileSuspended(endpoint, type)).sort();
  expect(endpoints).toEqual(expect.arrayContaining([...ENDPOINTS_WHILE_SUSPENDED]));
  expect(openTo('TokenRevoked')).toEqual(['forget', 'inbox', 'key', 'token', 'whoami']);
  expect(openTo('TokenIssued')).toEqual(['forget', 'inbox', 'key', 'whoami']);
});

test('reports a public event that is shown only by its digest', async () => {
  const log = await HonestLog.told();
  await log.service(Muse.streamName(THIRD), 'suspends', Suspended({ muse_id: THIRD }));
  const shown = await log.shown();
  const { id, type, version, position, at, digest } = shown.at(-1)!;
  const cut = [...shown.slice(0, -1), { id, type, version, position, at, digest } as PublicEvent];
  expect(await problems(cut)).toContain('Only its digest is shown, but Suspended is not a private type.');
});
