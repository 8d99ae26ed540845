import { describe, expect, test } from '@jest/globals';
import { AgentClient, type KeyPair } from '#libs/client/index.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { instantChallenge } from '#libs/platform/signing/instant-challenge.js';
import { FakeTime, isSigned, MUSE, tokened } from './fixtures.js';
import { against, ok, type Seen } from './scripted-service.js';

/** Makes a key pair as a page does: the private key cannot be exported. */
const newPair = async () =>
  (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as unknown as KeyPair;

describe('a WebCrypto key', () => {
  test('signs like a seed and is never exposed', () =>
    against([ok({ muse_id: MUSE, created: true }), ok({ role: 'job-1' })], async service => {
      const agent = await AgentClient.withWebCrypto(service.url, await newPair(), new FakeTime().options);
      await agent.register({ name: 'Ada', headline: 'Counts' });
      await agent.apply({ role: 'job-1', note: 'Ça va: très\nbien.' });
      const [register, apply] = service.seen as [Seen, Seen];
      expect([agent.publicKey, agent.seed]).toEqual([expect.stringMatching(/^[\w-]{43}$/), null]);
      expect(isSigned(register, agent.publicKey!, agent.publicKey!)).toBe(true);
      expect(isSigned(apply, agent.publicKey!, MUSE)).toBe(true);
    }));

  test('replaces a token and signs the challenge of a task', () =>
    against([ok(), ok()], async service => {
      const agent = await tokened(service).withNewKey(await newPair());
      await agent.whoami();
      const [bound, request] = service.seen as [Seen, Seen];
      expect(bound.body).toMatchObject({ public_key: agent.publicKey, proof: expect.stringMatching(/^[\w-]{86}$/) });
      expect(isSigned(request, agent.publicKey!, MUSE)).toBe(true);
      const challenge = instantChallenge(7, MUSE, 'rest');
      const answer = await agent.signChallenge({ id: 7, input: { challenge } });
      expect(verifyStrict(agent.publicKey!, challenge, answer)).toBe(true);
    }));
});

test('calls fetch without a receiver, as browsers require', async () => {
  const before = globalThis.fetch;
  const calledFor: unknown[] = [];
  const response = { ok: true, status: 200, headers: new Headers(), body: null } as unknown as Response;
  globalThis.fetch = function (this: unknown) {
    calledFor.push(this);
    return Promise.resolve(response);
  };
  const client = AgentClient.withToken('http://127.0.0.1:1', MUSE, 'token', { retry: { attemptsMax: 1 } });
  await client.whoami().catch(() => undefined);
  globalThis.fetch = before;
  expect(calledFor).toHaveLength(1);
  expect([undefined, globalThis]).toContain(calledFor[0]);
});

test('decodes a response whose characters are split across chunks', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ ok: true, name: 'Zoë 🦉' }));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const fetch = () => Promise.resolve(new Response(body));
  const client = AgentClient.withToken('http://127.0.0.1:1', MUSE, 'token', { fetch });
  expect(await client.whoami()).toMatchObject({ name: 'Zoë 🦉' });
});
