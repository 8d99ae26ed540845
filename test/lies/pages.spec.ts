import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readArguments } from '#apps/auditor/arguments.js';
import { openSource } from '#apps/auditor/source.js';
import { verify } from '#apps/auditor/verify.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { sign } from '#libs/platform/signing/ed25519.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { findingLine } from '#libs/audit/findings.js';
import { readSettings } from '#libs/setup/settings.js';
import { LocalServer } from '../local-server.js';
import { useWorld } from '../use-world.js';
import { issuerSeedOf } from './honest-story.js';

type Page = { [name: string]: unknown };
type Change = (page: Page) => void;

const world = useWorld();
let seed: Uint8Array;
let accept: () => Promise<unknown>;
let changes: { readonly path: RegExp; readonly change: Change }[] = [];

/** Shows the pages of the world, some of them changed. */
const lying = new LocalServer((request, response) => void forward(request.url!, response));

/** Happens once, before the service is asked for a record. */
let beforeRecord: (() => Promise<unknown>) | null = null;

async function forward(path: string, response: Parameters<ConstructorParameters<typeof LocalServer>[0] & object>[1]) {
  if (beforeRecord && path.startsWith('/api/record/')) {
    const once = beforeRecord;
    beforeRecord = null;
    await once();
  }
  const answer = await fetch(world.url + path, { headers: { accept: path.includes('/api/events?') ? NDJSON : '*/*' } });
  const text = await answer.text();
  const lies = changes.filter(lie => lie.path.test(path));
  const page = lies.length > 0 ? (JSON.parse(text) as Page) : null;
  if (page) for (const { change } of lies) change(page);
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! });
  response.end(page ? JSON.stringify(page) : text);
}

const NDJSON = 'application/x-ndjson';

async function lines(...lies: typeof changes): Promise<string[]> {
  changes = lies;
  const args = readArguments(['verify', '--from', lying.url])!;
  const { findings } = await verify(await openSource(lying.url, readSettings({})), args, readSettings({}));
  return findings.map(finding => `${finding.kind} ${findingLine(finding)}`);
}

/** Changes the payload of a record or credential, and signs it again. */
const signedAgain = (name: string, change: (payload: Page) => void): Change => {
  return page => {
    const document = page[name] as { payload: string; signature: string };
    const payload = JSON.parse(document.payload) as Page;
    change(payload);
    document.payload = canonicalJson(payload);
    document.signature = sign(seed, document.payload);
  };
};

beforeAll(async () => {
  await lying.listen();
  seed = await issuerSeedOf(world);
  const [poster, worker] = await world.raws('Poster', 'Worker');
  const { hire } = await poster.hire(worker);
  await worker.ok('deliver', { hire, url: world.page('done') });
  accept = () => poster.ok('accept', { hire, note: 'Well done.' });
  await world.settle();
});
afterAll(() => lying.stop());

test('a service that shows what its log says has no findings', async () => {
  expect(await lines()).toEqual([]);
});

test.each<[string, string, Change]>([
  ['a key that the log does not name', 'service-issuer', page => void (page['keys'] as Page[]).push({ kid: 'other' })],
  ['another start of a key', 'service-issuer', page => void ((page['keys'] as Page[])[0]!['from'] = 1)],
  ['no key in did.json', 'did', page => void (page['assertionMethod'] = [])],
  ['another key in did.json', 'did', page => void ((page['verificationMethod'] as Page[])[0]!['publicKeyJwk'] = {})],
  ['no key in jwks.json', 'jwks', page => void (page['keys'] = [])],
])('%s is found', async (_what, name, change) => {
  const found = await lines({ path: new RegExp(`/${name}.json$`), change });
  expect(found).toEqual([expect.stringMatching(new RegExp(`^issuer .*${name}.json differs from the keys`))]);
});

test.each<[string, string, Change]>([
  [
    'a record of a hire with another title',
    'record/hire',
    signedAgain('record', record => void (record['title'] = 'X')),
  ],
  ['a record without its delivery', 'record/hire', signedAgain('record', record => void (record['delivery'] = null))],
  [
    'a record of an application that was withdrawn',
    'record/application',
    signedAgain('record', record => void (record['status'] = 'withdrawn')),
  ],
  ['a credential with a wage', 'verify', signedAgain('credential', claims => void (claims['receipts'] = 1))],
  ['a credential with a wallet', 'verify', signedAgain('credential', claims => void (claims['verified'] = true))],
])('%s is found', async (_what, name, change) => {
  const found = await lines({ path: new RegExp(`/api/${name}/`), change });
  expect(found.every(line => /^record .* differs from the log/.test(line))).toBe(true);
  expect(found).not.toEqual([]);
});

test('a record that changes while it is read has no findings', async () => {
  beforeRecord = async () => {
    await accept();
    await world.settle();
  };
  expect(await lines()).toEqual([]);
  expect(beforeRecord).toBeNull();
});

test('a credential that is valid for more than a day is found', async () => {
  const change = signedAgain(
    'credential',
    payload => void (payload['expires_at'] = Number(payload['issued_at']) + DAY_MS + 1),
  );
  const found = await lines({ path: /api\/verify/, change });
  expect(found.every(line => /^issuer .* is valid for more than 24 hours/.test(line))).toBe(true);
  expect(found).not.toEqual([]);
});
