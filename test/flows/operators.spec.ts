import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Muse } from '#libs/domain/muse.js';
import { type SignatureOverrides, TestOperator } from '../operator-signature.js';
import { type HeaderFields, quickstart, RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { CLEAN, World } from '../world.js';

let operator: TestOperator;
let other: World | undefined;
let ada: RawAgent;

beforeAll(async () => void (operator = await TestOperator.start()));
const world = useWorld(() => World.start({ settings: { FETCH_ALLOW: operator.domain } }));
beforeAll(async () => void (ada = await world.raw('Ada')));
afterAll(() => Promise.all([other?.stop(), operator.stop()]));
beforeEach(() => void (operator.directory = JSON.stringify({ keys: [operator.jwk()] })));

const headers = (as: SignatureOverrides = {}) => operator.headers(world.url, world.now(), as);
const prove = (by: HeaderFields = headers()) => ada.post('verify_operator', {}, by);
const answered = ({ status, body }: Reply) => [status, body['code'] ?? 'ok', body['field']];
const profile = async (muse: string) => (await send(world.url, `/api/muse/${muse}`)).body['muse'] as JsonObject;
const proofs = async (muse: string) =>
  (await world.eventTypes(Muse.streamName(muse))).filter(type => type === 'OperatorVerified').length;

test('an operator is verified and stays so after its directory disappears', async () => {
  const gone = await TestOperator.start();
  other = await World.start({ settings: { FETCH_ALLOW: gone.domain } });
  const ben = await other.raw('Ben');
  expect(await send(other.url, `/api/muse/${ben.museId}`)).toMatchObject({ body: { muse: { operator: null } } });
  const by = gone.headers(other.url, other.now());
  const { status, body } = await ben.post('verify_operator', {}, by);
  const verified = { domain: gone.domain, verified_at: expect.any(Number) };
  expect([status, body]).toEqual([200, { ok: true, operator: verified }]);
  expect(gone.asked).toEqual(['/.well-known/http-message-signatures-directory']);

  await gone.stop();
  const again = await ben.post('verify_operator', {}, gone.headers(other.url, other.now()));
  expect(answered(again)).toEqual([502, 'directory_unreachable', undefined]);
  expect(again.body).toMatchObject({ retryable: true });
  const shown = await send(other.url, `/api/muse/${ben.museId}`);
  expect(shown.body).toMatchObject({ muse: { operator: body['operator'] } });

  const events = await send(other.url, `/api/events?stream=muse-${ben.museId}&types=OperatorVerified`);
  expect(events.body['events']).toMatchObject([
    { actor: ben.museId, data: { domain: { value: gone.domain }, public_key: { value: gone.publicKey } } },
  ]);
  // The public events must not reveal the signature, since readers could reuse it.
  expect(JSON.stringify(events.body)).not.toContain(by['signature']!.slice(6, 40));
  expect(await other.audit()).toEqual(CLEAN);
});

test('a token works like a signature, and a repeated proof writes nothing', async () => {
  const eve = await quickstart(world.url, { name: 'Eve' });
  const sent = { body: {}, headers: { ...eve.headers, ...headers({ member: 'sig1' }) } };
  const first = await send(world.url, '/api/verify_operator', sent);
  expect(first.body).toMatchObject({ ok: true, operator: { domain: operator.domain } });
  expect((await send(world.url, '/api/verify_operator', sent)).body).toEqual(first.body);
  expect(await proofs(eve.museId)).toBe(1);
  expect(await profile(eve.museId)).toMatchObject({ operator: first.body['operator'] });
});

describe('a signature is accepted', () => {
  const taken: { readonly [what: string]: () => SignatureOverrides } = {
    'with a string as agent': () => ({}),
    'with a dictionary member as agent': () => ({ member: 'sig2' }),
    'covering the whole dictionary of one member': () => ({
      member: 'sig2',
      covers: ['"@authority"', '"signature-agent"'],
    }),
    'covering method and path too': () => ({
      covered: { '"@method"': 'POST', '"@path"': '/api/verify_operator' },
    }),
    'with a nonce': () => ({ more: ';nonce="ZmlzaA"' }),
    'by a clock that is slightly fast': () => ({ created: Math.floor(world.now() / SECOND_MS) + 30 }),
    'with a trailing slash in the agent': () => ({ agent: `http://${operator.domain}/` }),
  };
  test.each(Object.entries(taken))('%s', async (_what, as) => {
    expect(answered(await prove(headers(as())))).toEqual([200, 'ok', undefined]);
  });

  test('next to another signature of the same request', async () => {
    const by = headers();
    const two = { ...by, 'signature-input': `proxy=("@method");created=1, ${by['signature-input']}` };
    expect(answered(await prove({ ...two, signature: `proxy=:AAAA:, ${by['signature']}` }))).toEqual([
      200,
      'ok',
      undefined,
    ]);
  });

  test('with a kid from the directory, next to keys of other kinds', async () => {
    const others = [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, null, operator.jwk({ x: 'short' })];
    operator.directory = JSON.stringify({ keys: [...others, operator.jwk({ kid: 'mine' })], purpose: 'work' });
    expect(answered(await prove(headers({ keyid: 'mine' })))).toEqual([200, 'ok', undefined]);
    expect(answered(await prove())).toEqual([200, 'ok', undefined]);
  });
});

describe('a malformed or incomplete header is a 400 that names it', () => {
  const now = () => Math.floor(world.now() / SECOND_MS);
  const wrong: { readonly [what: string]: [header: string, () => HeaderFields] } = {
    'no agent': ['signature-agent', () => without('signature-agent')],
    'no input': ['signature-input', () => without('signature-input')],
    'no signature': ['signature', () => without('signature')],
    'an agent that is not a structured field': [
      'signature-agent',
      () => ({ ...headers(), 'signature-agent': '"open' }),
    ],
    'an agent that is a token': ['signature-agent', () => ({ ...headers(), 'signature-agent': 'operator.example' })],
    'a malformed input': ['signature-input', () => ({ ...headers(), 'signature-input': 'sig1' })],
    'a signature that is not a byte sequence': ['signature', () => ({ ...headers(), signature: 'sig1=:*:' })],
    'labels that differ': [
      'signature',
      () => ({ ...headers(), signature: headers()['signature']!.replace('sig1', 'sig9') }),
    ],
    'another tag': ['signature-input', () => headers({ tag: 'other' })],
    'another algorithm': ['signature-input', () => replaced('alg="ed25519"', 'alg="rsa-pss-sha512"')],
    'no authority': ['signature-input', () => headers({ covers: ['"signature-agent"'] })],
    'an agent that is not covered': ['signature-input', () => headers({ covers: ['"@authority"'] })],
    'a missing member': [
      'signature-input',
      () => ({ ...headers({ member: 'a' }), 'signature-agent': 'b="https://b.example"' }),
    ],
    'an expiry before its creation': ['signature-input', () => headers({ created: now(), expires: now() - 1 })],
    'no expiry': ['signature-input', () => replaced(/;expires=\d+/, '')],
    'no creation time': ['signature-input', () => replaced(/;created=\d+/, '')],
    'no key': ['signature-input', () => replaced(/;keyid="[^"]+"/, '')],
    'a covered header that holds a secret': ['signature-input', () => headers({ covered: { '"authorization"': 'x' } })],
    'a component twice': [
      'signature-input',
      () => headers({ covers: ['"@authority"', '"@authority"', '"signature-agent"'] }),
    ],
  };
  const without = (name: string) => Object.fromEntries(Object.entries(headers()).filter(([key]) => key !== name));
  const replaced = (part: string | RegExp, by: string) => {
    const { 'signature-input': input, ...others } = headers();
    return { ...others, 'signature-input': input!.replace(part, by) };
  };
  test.each(Object.entries(wrong))('%s', async (_what, [header, by]) => {
    expect(answered(await prove(by()))).toEqual([400, header.replace('-', '_'), header]);
  });
});

describe('a signature with a wrong key, time or target is a 401', () => {
  const now = () => Math.floor(world.now() / SECOND_MS);
  const wrong: { readonly [what: string]: [code: string, () => SignatureOverrides] } = {
    'by another key': ['operator_signature_mismatch', () => ({ seed: new Uint8Array(32).fill(7) })],
    'for another service': ['operator_signature_mismatch', () => ({ authority: 'jobs.example' })],
    'for another path': ['operator_signature_mismatch', () => ({ covered: { '"@path"': '/api/verify' } })],
    'by an unlisted key': ['operator_key_unknown', () => ({ keyid: 'a'.repeat(43) })],
    'after its expiry': ['operator_signature_expired', () => ({ created: now() - 400, expires: now() - 1 })],
    'from the future': ['operator_signature_expired', () => ({ created: now() + 600 })],
    'older than a day': [
      'operator_signature_expired',
      () => ({ created: now() - DAY_MS / SECOND_MS - 10, expires: now() + 600 }),
    ],
  };
  test.each(Object.entries(wrong))('%s', async (_what, [code, as]) => {
    expect(answered(await prove(headers(as())))).toEqual([401, code, undefined]);
  });

  test('a key of the directory is only valid during its time', async () => {
    for (const times of [{ exp: now() - 1 }, { nbf: now() + 60 }, { exp: world.now() - MINUTE_MS }]) {
      operator.directory = JSON.stringify({ keys: [operator.jwk(times)] });
      expect(answered(await prove())).toEqual([401, 'operator_key_unknown', undefined]);
    }
    operator.directory = JSON.stringify({ keys: [operator.jwk({ nbf: now() - 60, exp: now() + 60 })] });
    expect(answered(await prove())).toEqual([200, 'ok', undefined]);
  });

  test('a signer of another text gets the text that was checked', async () => {
    const { body } = await prove(headers({ authority: 'jobs.example' }));
    expect(body['canonical_message_preview']).toContain(`"@authority": ${new URL(world.url).host}\n`);
  });
});

describe('an unreadable directory is a 502', () => {
  const directories: { readonly [what: string]: string | null } = {
    'that is missing': null,
    'that is not JSON': 'no JSON',
    'without keys': '{}',
    'that is a list': '[]',
    'that is null': 'null',
    'that is too long': JSON.stringify({ keys: ['a'.repeat(70_000)] }),
  };
  test.each(Object.entries(directories))('%s', async (_what, directory) => {
    operator.directory = directory;
    expect(answered(await prove())).toEqual([502, 'directory_unreachable', undefined]);
  });

  test.each(['https://127.0.0.1', 'https://169.254.169.254', 'https://[::1]:8443', 'https://nowhere.invalid'])(
    'at the forbidden address %s',
    async agent => {
      expect(answered(await prove(headers({ agent })))).toEqual([502, 'directory_unreachable', undefined]);
    },
  );
});

test('a muse that has not joined or not signed gets no operator', async () => {
  const agent = new RawAgent(world.url, () => world.now());
  await agent.register('Unjoined');
  expect(answered(await agent.post('verify_operator', {}, headers()))).toEqual([403, 'join_first', undefined]);
  expect(answered(await send(world.url, '/api/verify_operator', { body: {}, headers: headers() }))).toEqual([
    401,
    'unsigned',
    undefined,
  ]);
});
