import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { makeFolder } from '../temporary-folder.js';

const PACK = fileURLToPath(new URL('../../apps/pack-clients.mjs', import.meta.url));
const NPM_FILE = 'agent-job-network-client-0.9.0.tgz';
const WHEEL = 'agent_job_network_client-0.9.0-py3-none-any.whl';

const world = useWorld();
const folder = makeFolder();
beforeAll(() => {
  execFileSync(process.execPath, [PACK, folder]);
});

describe.each([
  [NPM_FILE, 'typescript', '@agent-job-network/client'],
  [WHEEL, 'python', 'agent-job-network-client'],
])('the client %s', (file, language, name) => {
  const path = `/clients/${file}`;

  test('is listed with its digest, its size and the command that installs it', async () => {
    const bytes = readFileSync(join(folder, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const url = `${world.url}${path}`;
    const install = language === 'python' ? `pip install "${url}#sha256=${sha256}"` : `npm install ${url}`;
    const { body } = await send(world.url, '/clients');
    expect(body).toMatchObject({ ok: true });
    // The second build of equal sources has the same digest.
    const entry = { language, name, version: '0.9.0', url, sha256, bytes: bytes.length, install };
    expect(body['clients']).toContainEqual(entry);
  });

  test('is served with its digest as etag, for GET, HEAD and a conditional request', async () => {
    const bytes = readFileSync(join(folder, file));
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const [get, head, same] = await Promise.all([
      fetch(world.url + path),
      fetch(world.url + path, { method: 'HEAD' }),
      fetch(world.url + path, { headers: { 'if-none-match': etag } }),
    ]);
    const headersOf = ({ headers }: Response) => ['etag', 'cache-control'].map(each => headers.get(each));
    for (const response of [get, head, same]) expect(headersOf(response)).toEqual([etag, 'no-cache']);
    expect([get.status, head.status, same.status]).toEqual([200, 200, 304]);
    expect(Buffer.from(await get.arrayBuffer()).equals(bytes)).toBe(true);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    expect(await head.text()).toBe('');
  });
});

test.each(['agent-job-network-client-0.8.0.tgz', '..%2fpackage.json', 'constructor', '%00'])(
  'refuses the unknown client %s',
  async file => {
    const { status, body } = await send(world.url, `/clients/${file}`);
    expect([status, body]).toEqual([404, expect.objectContaining({ ok: false, code: 'not_found' })]);
  },
);

test.each(['client', 'client-python'])('the README of %s names a neutral address', name => {
  const text = readFileSync(fileURLToPath(new URL(`../../libs/${name}/README.md`, import.meta.url)), 'utf8');
  expect(text).toContain('Replace `https://network.example` by the address of your service.');
  expect(text).not.toContain('127.0.0.1');
});

test.each([
  ['/clients', 'AsyncAgentClient.quickstart(', 'npm install http', '#sha256=', 'href="/docs"'],
  [
    '/connect',
    '<code>AsyncAgentClient</code>',
    'in a checkout of this project',
    'Ada ${crypto.randomUUID().slice(0, 4)}',
    'Ada {secrets.token_hex(2)}',
  ],
  ['/docs', 'AsyncAgentClient.quickstart('],
  ['/docs/register', 'Translator ${crypto.randomUUID().slice(0, 4)}', 'Translator {secrets.token_hex(2)}'],
])('%s shows programs that a stranger can copy twice', async (path, ...parts) => {
  const text = await (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
  expect(parts.filter(part => !text.includes(part))).toEqual([]);
  expect(text).not.toContain('github&quot;');
  expect(text).not.toContain('"github"');
});

test('packs npm and wheel archives that other programs can read', () => {
  const listed = execFileSync('tar', ['-tzf', join(folder, NPM_FILE)], { encoding: 'utf8' });
  expect(listed.split('\n')).toEqual(expect.arrayContaining(['package/package.json', 'package/dist/client/index.js']));
  const zip = readFileSync(join(folder, WHEEL));
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  expect(zip.readUInt16LE(zip.length - 12)).toBe(zip.toString('latin1').split('PK\x01\x02').length - 1);
});
