import { createHash, createPublicKey, verify } from 'node:crypto';

const [service, hire] = process.argv.slice(2);
const json = async path => (await fetch(service + path)).json();
const report = (name, isTrue) => console.log(isTrue ? 'ok ' : 'BAD', name);

// Canonical JSON (RFC 8785): sorted members, no spaces. A sealed value counts without its readable form.
const canonical = value => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = typeof value.sealed === 'string' ? ['sealed'] : Object.keys(value).sort();
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
};

// 1. A key of the service signed the record.
const { record } = await json(`/api/record/hire/${hire}`);
const { keys } = await json('/.well-known/service-issuer.json');
const x = keys.find(({ kid }) => kid === record.kid).public_key;
const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
report('signature', verify(null, Buffer.from(record.payload), key, Buffer.from(record.signature, 'base64url')));

// 2. The log holds each event that the record names, and the digest of the feed is right.
for (const { id, stream, revision, type } of JSON.parse(record.payload).states) {
  const { events } = await json(`/api/events?stream=${stream}&limit=1000`);
  const { position, digest, ...event } = events.find(event => event.id === id);
  report(`${type} at revision ${revision}`, event.type === type && event.revision === revision);
  report(`${type}: digest`, createHash('sha256').update(canonical(event)).digest('hex') === digest);
}
