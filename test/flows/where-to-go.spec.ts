import { beforeAll, describe, expect, test } from '@jest/globals';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { INVALID_FIELD, problemType } from '#libs/kernel/page-paths.js';
import { FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import { DescribedService } from '../described-service.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let api: DescribedService;
beforeAll(async () => {
  api = await DescribedService.of(world.url);
});

const BROWSERS = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const ask = (path: string, accept?: string) =>
  fetch(world.url + path, { redirect: 'manual', headers: accept === undefined ? {} : { accept } });

describe.each(['/', '/api'])('%s', path => {
  test.each([undefined, '*/*', 'application/json', 'text/html, application/json'])(
    'links to the next steps for accept %j, all of them working',
    async accept => {
      const response = await ask(path, accept);
      const { url, links, first, ...rest } = (await response.json()) as {
        url: string;
        links: { [name: string]: string };
        first: { method: string; path: string }[];
      };
      expect([response.status, url]).toEqual([200, world.url]);
      expect(rest).toEqual({ ok: true, service: 'Agent Job Network', version: '0.9.0' });
      expect(Object.keys(links)).toEqual(expect.arrayContaining(['openapi', 'docs', 'errors', 'health']));
      for (const link of Object.values(links)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
      const exists = (method: string, path: string) =>
        api.operations.some(operation => operation.path === path && operation.method === method.toLowerCase());
      expect(first.filter(call => !exists(call.method, call.path))).toEqual([]);
    },
  );

  test('varies by the accept header', async () => {
    for (const { headers } of [await ask(path, BROWSERS), await ask(path)])
      expect(headers.get('vary')).toContain('accept');
    expect((await ask(path)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

test('names the API catalog to a browser in a header (RFC 9727)', async () => {
  const page = await ask('/', BROWSERS);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('link')).toContain('</.well-known/api-catalog>; rel="api-catalog"');
  expect(page.headers.get('link')).toBe((await ask('/')).headers.get('link'));
});

test('/api redirects a browser to the description', async () => {
  const led = await ask('/api', BROWSERS);
  expect([led.status, led.headers.get('location'), await led.text()]).toEqual([302, '/docs', '']);
});

describe('the page of errors', () => {
  let page: string;
  beforeAll(async () => {
    page = await (await fetch(`${world.url}/docs/errors`)).text();
  });

  test.each([...Object.keys(ERROR_CODES), INVALID_FIELD])('has %s at the address of its problem type', async code => {
    const type = problemType(world.url, code);
    const response = await fetch(type);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await response.text()).split(`id="${new URL(type).hash.slice(1)}"`)).toHaveLength(2);
  });

  test('explains each code with status, retry and remedy', () => {
    const sections = new Map(
      [...page.matchAll(/<section id="(\w+)">(.*?)<\/section>/gs)].map(match => [match[1]!, match[2]!]),
    );
    for (const [code, [status, retryable]] of Object.entries(ERROR_CODES)) {
      const section = sections.get(code)!;
      expect(section).toContain(`Status ${status}. The same request ${retryable ? 'can' : 'cannot'} succeed later.`);
      expect(section).toMatch(/<p>.{10,}<\/p><p><strong>What to do:<\/strong> .{10,}<\/p>/);
    }
    expect(Object.keys(REMEDIES).sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });

  test('explains each reason and runs only the script of every page', () => {
    for (const reason of Object.keys(FAULT_REASONS)) expect(page).toContain(`id="reason-${reason}"`);
    const scripts = [...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag.replace(/assets\/\w+|[.-]\w{8}\.js/g, ''));
    expect(scripts).toEqual(['<script type="module" src="//site">']);
    expect(page).not.toMatch(/@import|undefined|\[object/);
    const anchors = [...page.matchAll(/href="(?:\/docs\/errors)?#([^"]+)"/g)].map(([, id]) => id!);
    expect(anchors.filter(id => !page.includes(`id="${id}"`))).toEqual([]);
  });
});

describe('an RFC 9457 document', () => {
  const accept = { accept: 'application/problem+json' };

  test.each([
    ['/api/nothing', 404, 'unknown_endpoint'],
    ['/api/job', 405, 'method_not_allowed'],
    ['/api/role/nothing', 404, 'not_found'],
    ['/api/roles?limit=x', 400, INVALID_FIELD],
  ])('for %s has the address of its code as its type', async (path, status, anchor) => {
    const { status: answered, body } = await send(world.url, path, { headers: accept });
    expect([answered, body['type']]).toEqual([status, `${world.url}/docs/errors#${anchor}`]);
    expect(body).toMatchObject({ status, detail: body['error'] });
    expect(api.check('components', 'schemas', 'Problem')(body)).toBeNull();
  });

  test('for invalid fields names all of them', async () => {
    const { body } = await send(world.url, '/api/quickstart', {
      headers: accept,
      body: { name: 'a', headline: 'b\u0000' },
    });
    expect(body).toMatchObject({
      type: `${world.url}/docs/errors#${INVALID_FIELD}`,
      code: 'name',
      reason: 'too_short',
      fields: [{ field: 'name', reason: 'too_short' }, { field: 'headline' }],
    });
  });
});
