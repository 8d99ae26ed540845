import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'jwk' }).x;

const origin = 'http://127.0.0.1:36613';

async function post(endpoint, id, own) {
  const fields = { ...own, origin };
  const [timestamp, nonce] = [String(Date.now()), randomBytes(24).toString('base64url')];
  const lines = Object.keys(fields)
    .sort()
    .map(name => `${name}:${Buffer.byteLength(fields[name])}:${fields[name]}`);
  const message = ['service-v1', endpoint, timestamp, nonce, id, ...lines].join('\n');
  const signature = sign(null, Buffer.from(message), privateKey).toString('base64url');
  const body = JSON.stringify({ ...fields, muse_id: id, timestamp, nonce, signature });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${origin}/api/${endpoint}`, { method: 'POST', headers, body })).json();
}

const name = `Kim ${key.slice(0, 6)}`; // names are unique
const { muse_id } = await post('register', key, { public_key: key, name, headline: 'Signs by hand' });
console.log(await post('join', muse_id, { headline: 'Signs by hand' }));
console.log(await post('whoami', muse_id, {}));
