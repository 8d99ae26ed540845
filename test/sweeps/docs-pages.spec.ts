import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { DescribedService } from '../described-service.js';
import { type Reply, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

/** Examples that name records of other muses. */
const FOR_OTHERS = ['endorse', 'forget', 'verify_operator'];
const PAID = ['delegate', 'job', 'verify'];
/** The description is the longest response. */
const OUTPUT_BYTES_MAX = 16_000_000;
const CURL_SECONDS_MAX = '20';
/** Two processes per operation. */
const COMMANDS_MS = 240_000;
/** Wraps curl so that it prints the status after the response. */
const SHELL = `curl() { command curl --max-time ${CURL_SECONDS_MAX} -w '\\n%{http_code}' "$@"; }`;

const world = useWorld();
let api: DescribedService;
/** Values of the test for those that the pages show. */
let own: { readonly [shown: string]: string };
let token: string;
beforeAll(async () => {
  api = await DescribedService.of(world.url);
  const [reader, other] = [await world.raw('Reader'), await world.raw('Other')];
  const job = { title: 'Translate', summary: 'One page of documentation.', done: 'A page is there.' };
  const role = textOf(await other.post('job', job), 'role');
  own = { 'job-123456789012': role, agent_1a2b3c4d5e: other.museId };
  token = textOf(await reader.post('token', { action: 'rotate' }), 'token');
  await world.settle();
  // The first request for the clients may build them, which takes longer than a command may.
  await fetch(`${world.url}/clients`);
});

const pageOf = async (path: string) => (await fetch(world.url + path)).text();
const ENTITIES: { readonly [entity: string]: string } = { '&lt;': '<', '&quot;': '"', '&gt;': '>', '&amp;': '&' };
const plain = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, entity => ENTITIES[entity] ?? entity);

/** Returns the text of an element that shows code. */
const shown = (page: string, language: string) =>
  plain(new RegExp(`<pre[^>]* data-language="${language}"[^>]*>(.*?)</pre>`, 's').exec(page)![1]!);

/** Runs a command in a shell with a signature. */
async function carriedOut(command: string): Promise<Reply> {
  const signed = { TIMESTAMP: String(Date.now()), NONCE: 'n'.repeat(22), SIGNATURE: 'A'.repeat(86) };
  const operator = { SIGNATURE_AGENT: '"https://operator.example"', SIGNATURE_INPUT: 'sig1=()' };
  const env = { PATH: process.env['PATH'], TOKEN: token, ...signed, ...operator };
  const withOwn = Object.entries(own).reduce((text, [shown, meant]) => text.replaceAll(shown, meant), command);
  const line = `${SHELL}\n${withOwn.replace(/ \\\n {2}-o \S+/, '')}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { env, maxBuffer: OUTPUT_BYTES_MAX });
  const [, text, status] = /^(.*)\n(\d{3})$/s.exec(stdout)!;
  const body = (text!.startsWith('{') ? JSON.parse(text!) : {}) as JsonObject;
  return { status: Number(status), body, headers: new Headers({ 'x-request-id': 'told in a header' }) };
}

describe('the page of an operation', () => {
  test('exists for every operation with its path and codes', async () => {
    for (const { id, method, path, codes } of api.operations) {
      const response = await fetch(`${world.url}/docs/${id}`);
      expect([id, response.status, response.headers.get('content-type')]).toEqual([
        id,
        200,
        'text/html; charset=utf-8',
      ]);
      const page = await response.text();
      expect([id, page.includes(`<code>${method.toUpperCase()} ${path}</code>`)]).toEqual([id, true]);
      expect([id, codes.filter(code => !page.includes(`href="/docs/errors#${code}"`))]).toEqual([id, []]);
      expect([id, /undefined|\[object/.test(plain(page))]).toEqual([id, false]);
    }
  });

  test('has a name that no other page of the docs uses', () => {
    const taken = ['calling', 'errors', 'events', 'shapes'];
    expect(api.operations.filter(({ id }) => taken.includes(id))).toEqual([]);
  });

  test('describes every field and parameter and links to its shapes', async () => {
    const shapes = await pageOf('/docs/shapes');
    for (const { id, request, parameters } of api.operations) {
      const page = await pageOf(`/docs/${id}`);
      const parts = (request?.schema['allOf'] ?? [request?.schema ?? {}]) as { properties?: object }[];
      const fields = parts.flatMap(({ properties = {} }) => Object.keys(properties));
      const named = [...fields, ...parameters.flatMap(({ name }) => (name === undefined ? [] : [name as string]))];
      expect([id, named.filter(name => !page.includes(`<code>${name}</code>`))]).toEqual([id, []]);
      const links = [...page.matchAll(/href="\/docs\/shapes#(\w+)"/g)].map(([, name]) => name!);
      expect([id, links.filter(name => !shapes.includes(`id="${name}"`))]).toEqual([id, []]);
    }
  });

  const everyCommand = async () => {
    const statuses = new Map<string, number>();
    for (const operation of api.operations) {
      const command = shown(await pageOf(`/docs/${operation.id}`), 'curl');
      expect([operation.id, command.includes(`curl -s '${world.url}/`)]).toEqual([operation.id, true]);
      const reply = await carriedOut(command);
      expect([operation.id, reply.status, api.faults(operation, reply)]).toEqual([operation.id, reply.status, null]);
      statuses.set(operation.id, reply.status);
      if (reply.status === 200 && operation.id === 'token') token = textOf(reply, 'token');
    }
    const answering = (status: number) =>
      [...statuses]
        .filter(each => each[1] === status)
        .map(([id]) => id)
        .sort();
    expect(answering(400)).toEqual(FOR_OTHERS);
    expect(answering(402)).toEqual(PAID);
    expect(answering(200).length).toBeGreaterThan(statuses.size / 2);
  };

  test('shows a curl request that works or is refused as documented', everyCommand, COMMANDS_MS);

  test('for an unknown operation is 404', async () => {
    expect((await fetch(`${world.url}/docs/nothing`)).status).toBe(404);
  });
});

describe('the index of operations', () => {
  test('links to each operation by its old anchor', async () => {
    const page = await pageOf('/docs');
    const missing = api.operations.filter(
      ({ id }) => !page.includes(`href="/docs/${id}"`) || !page.includes(`id="${id}"`),
    );
    expect(missing.map(({ id }) => id)).toEqual([]);
    expect(page).toContain('href="/openapi.json"');
  });

  test('searches all words of a query, including fields, without scripts', async () => {
    const search = async (q: string) => {
      const page = await pageOf(`/docs?q=${encodeURIComponent(q)}`);
      return [...page.matchAll(/<li id="(\w+)"([^>]*)>/g)]
        .filter(([, , rest]) => !rest!.includes(' hidden'))
        .map(([, id]) => id);
    };
    expect(await search('budget_usd JOB')).toEqual(['job', 'delegate']);
    expect(await search('nothing like it')).toEqual([]);
    expect(await pageOf('/docs?q=%22%3E%3Cscript%3E')).not.toContain('"><script>');
  });

  test('is rendered once and gives 304', async () => {
    const first = await fetch(`${world.url}/docs`);
    const again = await fetch(`${world.url}/docs`, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect([first.status, again.status]).toEqual([200, 304]);
    await (await world.agent('Newcomer')).post({ text: 'Something happens.' });
    await world.settle();
    expect((await fetch(`${world.url}/docs`)).headers.get('etag')).toBe(first.headers.get('etag'));
  });
});

describe('the other pages of the docs', () => {
  test('describe every event type', async () => {
    const page = await pageOf('/docs/events');
    expect([...EVENT_TYPES.keys()].filter(type => !page.includes(`<section id="${type}">`))).toEqual([]);
  });

  test('explain signing, paying and repeating at the linked anchors', async () => {
    const page = await pageOf('/docs/calling');
    const links = [...(await pageOf('/docs/verify')).matchAll(/href="\/docs\/calling#([^"]+)"/g)];
    expect(links.length).toBeGreaterThan(2);
    expect(links.filter(([, id]) => !page.includes(`id="${id}"`))).toEqual([]);
    expect(page).toContain(world.url);
  });
});
