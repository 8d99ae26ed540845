import { expect, test } from '@jest/globals';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { WebhookSecrets } from '#libs/features/webhooks/webhook-secrets.js';
import { standardBody, secretView, signHeaders } from '#libs/features/webhooks/standard.form.js';
import { Webhook } from 'standardwebhooks';
import { WebhookCreated, WebhookRotated, Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { asEvents } from '../../given.js';
import * as world from '../features/worlds.js';

const MUSE = 'agent_worker0000';
const HOOK = 800_000_000_001;
const body = '{"type":"message","timestamp":"2026-11-23T06:00:00.000Z","data":{"text":"Grüße"}}';

async function hookWithTwoSecrets() {
  const secrets = new WebhookSecrets(new MemoryVault());
  for (const number of [1, 2]) await secrets.put({ muse: MUSE, webhook: HOOK }, number);
  const of = { webhook: HOOK, muse_id: MUSE };
  const events = [
    world.told(WebhookCreated.type, { ...of, form: 'standard', url: 'https://example.com/', events: null }),
    world.told(WebhookRotated.type, { ...of, number: 2 }),
  ];
  const [hook] = asEvents(events).reduce<Webhooks>((hooks, event) => Webhooks.evolve(hooks, event), []);
  const rotatedAt = hook!.secrets[0]!.until! - DAY_MS;
  return { secrets, hook: hook!, rotatedAt };
}

function mustVerify(secret: Uint8Array, headers: ReturnType<typeof signHeaders>): void {
  const shown = secretView(secret);
  expect(new Webhook(shown.secret).verify(body, headers)).toMatchObject({ type: 'message' });
  const publicKey = Buffer.from(shown.public_key.slice('whpk_'.length), 'base64').toString('base64url');
  const message = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signatures = headers['webhook-signature'].split(' ').filter(each => each.startsWith('v1a,'));
  const isValid = signatures.some(each =>
    verifyNoble(publicKey, message, Buffer.from(each.slice(4), 'base64').toString('base64url')),
  );
  expect(isValid).toBe(true);
}

test('the old secret also signs for a day after its rotation', async () => {
  const { secrets, hook, rotatedAt } = await hookWithTwoSecrets();
  const both = await secrets.signingSecrets(MUSE, hook, rotatedAt + DAY_MS - 1);
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = signHeaders(both, { id: 'msg_1', timestamp, body });
  expect(headers['webhook-signature'].split(' ').map(each => each.split(',')[0])).toEqual(['v1', 'v1', 'v1a', 'v1a']);
  for (const secret of both) mustVerify(secret, headers);
  const left = await secrets.signingSecrets(MUSE, hook, rotatedAt + DAY_MS);
  expect(left).toEqual([both[0]]);
  expect(await secrets.get({ muse: MUSE, webhook: HOOK }, 1)).toBeNull();
});

test('a changed body, id or timestamp fails the verification', async () => {
  const { secrets, hook, rotatedAt } = await hookWithTwoSecrets();
  const [secret] = await secrets.signingSecrets(MUSE, hook, rotatedAt);
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = signHeaders([secret!], { id: 'msg_1', timestamp, body });
  const webhook = new Webhook(secretView(secret!).secret);
  expect(() => webhook.verify(body.replace('message', 'massage'), headers)).toThrow();
  expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  expect(() => webhook.verify(body, { ...headers, 'webhook-timestamp': String(timestamp - 1) })).toThrow();
});

test('a body stays below 20 KB and refers to the event if it is larger', () => {
  const data = { id: 'an event', position: '00000000000000000007', digest: 'a digest', note: 'é'.repeat(10_000) };
  const small = standardBody({ id: 'msg_1', type: 'Posted', at: 0, data });
  expect(Buffer.byteLength(small)).toBeLessThan(20_000);
  const { note, ...rest } = data;
  expect(note).toHaveLength(10_000);
  expect(JSON.parse(small)).toEqual({
    type: 'Posted',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { ...rest, kind: null, too_large: true },
  });
});
