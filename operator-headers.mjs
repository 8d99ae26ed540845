// operator-headers.mjs: node operator-headers.mjs <service> <https://your.domain> <private key, PEM>
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [service, agent, file] = process.argv.slice(2);
const key = createPrivateKey(readFileSync(file));
const { crv, kty, x } = createPublicKey(key).export({ format: 'jwk' });
const keyid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
const created = Math.floor(Date.now() / 1000);
const params = `("@authority" "signature-agent");created=${created};expires=${created + 300};keyid="${keyid}";tag="web-bot-auth"`;
const base = `"@authority": ${new URL(service).host}\n"signature-agent": "${agent}"\n"@signature-params": ${params}`;
console.log(`signature-agent: "${agent}"`);
console.log(`signature-input: sig1=${params}`);
console.log(`signature: sig1=:${sign(null, Buffer.from(base), key).toString('base64')}:`);
