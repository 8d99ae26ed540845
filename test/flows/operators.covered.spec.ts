import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SignatureOverrides, TestOperator } from '../operator-signature.js';
import { type HeaderFields, type RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { World } from '../world.js';

let operator: TestOperator;
let ada: RawAgent;
beforeAll(async () => void (operator = await TestOperator.start()));
const world = useWorld(() => World.start({ settings: { FETCH_ALLOW: operator.domain } }));
beforeAll(async () => void (ada = await world.raw('Ada')));
afterAll(() => operator.stop());

const headers = (as: SignatureOverrides = {}) => operator.headers(world.url, world.now(), as);
const prove = (by: HeaderFields) => ada.post('verify_operator', {}, by);
const answered = ({ status, body }: Reply) => [status, body['code'] ?? 'ok', body['field']];

const digestOf = (hash: string, body: string) => createHash(hash).update(body).digest('base64');
const sha256 = (body: string) => `sha-256=:${digestOf('sha256', body)}:`;
const sha512 = (body: string) => `sha-512=:${digestOf('sha512', body)}:`;

/** Sends a body whose digests the operator signed, and returns status, code and field. */
async function digested(fieldOf: (body: string) => string) {
  const body = JSON.stringify(ada.signed('verify_operator'));
  const field = fieldOf(body);
  const by = headers({ covered: { '"content-digest"': field } });
  return answered(await send(world.url, '/api/verify_operator', { body, headers: { ...by, 'content-digest': field } }));
}

test('a covered content-digest is compared by each algorithm that it names', async () => {
  const accepted = [200, 'ok', undefined];
  const refused = [401, 'operator_signature_mismatch', undefined];
  expect(await digested(sha256)).toEqual(accepted);
  expect(await digested(sha512)).toEqual(accepted);
  expect(await digested(body => `md5=:AAAA:, ${sha512(body)}, ${sha256(body)}`)).toEqual(accepted);
  expect(await digested(body => sha256(`${body} `))).toEqual(refused);
  expect(await digested(() => sha512('{}'))).toEqual(refused);
  expect(await digested(body => `${sha256(body)}, ${sha512('{}')}`)).toEqual(refused);
  expect(await digested(() => 'sha-256=1')).toEqual(refused);
});

test.each(['md5=:AAAA:', 'crc32c=:AAAA:', ':AAAA:', 'sha-1024=:AAAA:'])(
  'a covered content-digest of %s proves nothing and is refused',
  async field => expect(await digested(() => field)).toEqual([400, 'signature_input', 'signature-input']),
);

test('a content-digest that is not covered is not compared', async () => {
  expect(answered(await prove({ ...headers(), 'content-digest': sha256('other') }))).toEqual([200, 'ok', undefined]);
});

test('covered lengths, types and queries are those of the request', async () => {
  const body = JSON.stringify(ada.signed('verify_operator'));
  const proven = async (covered: SignatureOverrides['covered'], path = '/api/verify_operator') => {
    const content = JSON.stringify(ada.signed('verify_operator'));
    return answered(await send(world.url, path, { body: content, headers: headers({ covered }) }));
  };
  const right = { '"content-length"': String(body.length), '"content-type"': 'application/json', '"@query"': '?a=1' };
  expect(await proven(right, '/api/verify_operator?a=1')).toEqual([200, 'ok', undefined]);
  expect(await proven({ '"@query"': '?' })).toEqual([200, 'ok', undefined]);
  for (const wrong of [{ '"content-length"': '2' }, { '"content-type"': 'text/plain' }, { '"@query"': '?a=2' }])
    expect(await proven({ ...right, ...wrong }, '/api/verify_operator?a=1')).toEqual([
      401,
      'operator_signature_mismatch',
      undefined,
    ]);
});
