import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { request } from 'node:http';

/** Minimal webhook sender: signs each body twice and posts it on its own connection. Arguments: URL, body, count. */
const [url, body, times] = process.argv.slice(2) as [string, string, string];
const secret = randomBytes(32);
const { privateKey } = generateKeyPairSync('ed25519');

function headersOf(id: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const message = `${id}.${timestamp}.${body}`;
  const v1 = createHmac('sha256', secret).update(message).digest('base64');
  const v1a = sign(null, Buffer.from(message), privateKey).toString('base64');
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${v1} v1a,${v1a}`,
  };
}

const post = (id: string) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false, headers: headersOf(id) }, answer => {
      answer.resume().on('end', resolve);
    });
    sent.on('error', reject).end(body);
  });

process.send!('ready');
process.once('message', () => {
  void (async () => {
    for (let sent = 0; sent < Number(times); sent += 1) await post(`msg_${sent}`);
    process.exit(0);
  })();
});
