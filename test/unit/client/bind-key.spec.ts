import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type AgentClient, KeyInDoubt, SigningKey } from '#libs/client/index.js';
import { FakeTime, keyed, MUSE, tokened } from './fixtures.js';
import { against, ok, refused, type Step } from './scripted-service.js';

/** Responses to the old key or token after it was replaced. */
const ENDED = [
  ['key', keyed, refused(401, 'signature_mismatch')],
  ['token', tokened, refused(401, 'bad_token')],
] as const;
const NEW_SEED = SigningKey.newSeed();
const impatient = () => ({ ...new FakeTime().options, retry: { attemptsMax: 2 } });

const thrownBy = (asking: Promise<AgentClient>) =>
  asking.then(
    () => null,
    (error: unknown) => error,
  );

describe('a new key', () => {
  test.each(ENDED)('is confirmed after a lost response, also if it ended the %s', (_what, client, ended) =>
    against(['lost', ended, ok({ muse_id: MUSE })], async service => {
      const next = await client(service).withNewKey(NEW_SEED);
      expect(next.seed).toEqual(NEW_SEED);
      const [bound, , request] = service.seen;
      expect(bound!.body['public_key']).toBe(next.publicKey);
      expect(request).toMatchObject({ path: '/api/whoami', body: { muse_id: MUSE } });
    }),
  );

  test('is recovered from its seed if an earlier run bound it', () =>
    against([refused(401, 'signature_mismatch'), ok({ muse_id: MUSE })], async service => {
      expect((await keyed(service).withNewKey(NEW_SEED)).seed).toEqual(NEW_SEED);
    }));

  test.each<[string, Step[]]>([
    ['no response came', ['lost', 'lost']],
    ['the service failed', [refused(500, 'internal')]],
    ['the service is busy', [refused(503, 'unavailable'), refused(503, 'unavailable')]],
    ['its retry is refused', ['lost', refused(401, 'signature_mismatch')]],
  ])('is in doubt, and not lost, if %s and it cannot be confirmed', (_case, steps) =>
    against([...steps, 'lost', 'lost', ok({ muse_id: MUSE })], async service => {
      const error = await thrownBy(keyed(service, impatient()).withNewKey());
      expect(error).toBeInstanceOf(KeyInDoubt);
      const { next, code, cause } = error as KeyInDoubt;
      expect([code, next.museId, next.seed]).toEqual(['key_in_doubt', MUSE, expect.any(Uint8Array)]);
      expect(cause).toBeInstanceOf(Error);
      expect(await next.whoami()).toMatchObject({ muse_id: MUSE });
      expect(service.seen[0]!.body['public_key']).toBe(next.publicKey);
    }),
  );

  test('is in doubt if no response came and it is not bound yet', () =>
    against(['lost', 'lost', refused(401, 'signature_mismatch')], async service => {
      expect(await thrownBy(keyed(service, impatient()).withNewKey())).toBeInstanceOf(KeyInDoubt);
    }));

  test('is never logged while it is in doubt', () =>
    against(['lost', 'lost', 'lost', 'lost'], async service => {
      const error = await thrownBy(keyed(service, impatient()).withNewKey(NEW_SEED));
      expect(inspect(error, { depth: 9 })).toContain('key_in_doubt');
      expect(inspect(error, { depth: 9 })).not.toMatch(/seed: Uint8Array/);
    }));

  test('is refused with the error of the service', () =>
    against([refused(409, 'key_taken')], async service => {
      expect(await thrownBy(keyed(service).withNewKey())).toMatchObject({ name: 'ApiError', code: 'key_taken' });
    }));

  test.each(['signature_mismatch', 'no_key'])(
    'fails with the error of the old token if the new key is unknown (%s)',
    code =>
      against([refused(401, 'bad_token'), refused(401, code)], async service => {
        expect(await thrownBy(tokened(service).withNewKey())).toMatchObject({ name: 'ApiError', code: 'bad_token' });
      }),
  );
});
