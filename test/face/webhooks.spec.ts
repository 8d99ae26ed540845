import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyAsync } from '@noble/ed25519';
import { Webhook } from 'standardwebhooks';
import { LONG_MS } from '../packed/installing.js';
import type { ReceivedMessage } from '../webhook-receiver.js';
import { WebhookWorld } from '../flows/webhook-world.js';
import { python, pythonWith } from './python.js';

/** Verifies messages with the libraries that receivers use. */
let hooks: WebhookWorld;
let message: ReceivedMessage;
let keys: { readonly secret: string; readonly public_key: string }[];

beforeAll(async () => {
  hooks = await WebhookWorld.start();
  const [ada, ben] = [await hooks.world.raw('Ada'), await hooks.world.raw('Ben')];
  await ada.connect(ben);
  const { body: created } = await ben.ok('webhook', { action: 'create', url: hooks.receiver.url, events: 'message' });
  const id = String((created['webhook'] as { readonly id: number }).id);
  const { body: rotated } = await ben.ok('webhook', { action: 'rotate', id });
  keys = [created, rotated] as unknown as typeof keys;
  await ada.ok('message', { to: ben.museId, text: 'Schöne Grüße — “hello” 👋' });
  [message] = (await hooks.receiver.waitFor(1)) as [ReceivedMessage];
}, LONG_MS);
afterAll(() => hooks.stop());

const signedText = ({ headers, text }: ReceivedMessage) =>
  `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
const bytes = (text: string) => new TextEncoder().encode(text);

const signaturesOf = ({ headers }: ReceivedMessage) =>
  headers['webhook-signature']!.split(' ')
    .filter(each => each.startsWith('v1a,'))
    .map(each => Buffer.from(each.slice('v1a,'.length), 'base64'));

describe('the current and the previous secret', () => {
  test('verify with the npm package of Standard Webhooks', () => {
    for (const { secret } of keys) {
      const verified = new Webhook(secret).verify(message.text, { ...message.headers });
      expect(verified).toMatchObject({ type: 'message', data: { text: 'Schöne Grüße — “hello” 👋' } });
      expect(() =>
        new Webhook(secret).verify(message.text.replace('hello', 'hullo'), { ...message.headers }),
      ).toThrow();
    }
    expect(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(message.text, { ...message.headers })).toThrow();
  });

  test('verify with the Python packages of Standard Webhooks and cryptography', async () => {
    const executable = await pythonWith('standardwebhooks==1.1.0', 'cryptography==50.0.2');
    const given = JSON.stringify({ keys, text: message.text, headers: message.headers });
    expect(JSON.parse(await python(executable, PROGRAM, given))).toEqual([
      ['message', true, false],
      ['message', true, false],
    ]);
  }, 480_000);
});

test('match the ed25519 signatures by @noble/ed25519', async () => {
  for (const { public_key } of keys) {
    const key = Buffer.from(public_key.slice('whpk_'.length), 'base64');
    const valid = (text: string) =>
      Promise.all(signaturesOf(message).map(signature => verifyAsync(signature, bytes(text), key)));
    expect(await valid(signedText(message))).toContain(true);
    expect(await valid(`${signedText(message)} `)).not.toContain(true);
  }
});

const PROGRAM = `
import base64, json, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook

given = json.loads(sys.argv[1])
text, headers = given["text"], given["headers"]
signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{text}"
signatures = [s[4:] for s in headers["webhook-signature"].split(" ") if s.startswith("v1a,")]

def holds(key, signed):
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key["public_key"][5:]))
    for signature in signatures:
        try:
            public.verify(base64.b64decode(signature), signed.encode())
            return True
        except InvalidSignature:
            pass
    return False

print(json.dumps([
    [Webhook(key["secret"]).verify(text, headers)["type"], holds(key, signed), holds(key, signed + " ")]
    for key in given["keys"]
]))
`;
