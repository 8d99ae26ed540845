import { describe, expect, test } from '@jest/globals';
import { FEATURES } from '#libs/features/features.js';
import { ROUTES } from '#libs/service/routes.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';
import { DescribedService } from '../described-service.js';
import { filesOf, textOf } from '../tidy.sources.js';

const BASE_URL = 'https://jobs.example';
const description = new ApiDescription({ baseUrl: BASE_URL }, 'service-v1', ROUTES);
const api = new DescribedService(BASE_URL, description.document());

describe('the OpenAPI description', () => {
  test('is OpenAPI 3.1, version 1.0.0', () => {
    expect(api.document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(api.document['servers']).toEqual([{ url: BASE_URL }]);
  });

  test('contains every declared route with a unique id', () => {
    const listed = FEATURES.flatMap(({ commands, queries, privateQueries, openActions }) =>
      [commands, queries, privateQueries, openActions].flat(),
    );
    const byGet = FEATURES.flatMap(({ commands, privateQueries }) =>
      [...commands, ...privateQueries].filter(each => 'byGet' in each && each.byGet),
    );
    const declared = [...listed, ...byGet].map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
    expect(declared.length).toBeGreaterThan(25);
    expect([...new Set(api.operations.map(({ path }) => path))].sort()).toEqual([...new Set(declared)].sort());
    const ids = api.operations.map(({ id }) => id);
    expect(ids.length).toBe(declared.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('describes every request field and parameter', () => {
    const fieldsIn = (schema: JsonObject): [name: string, field: { readonly description?: string }][] => [
      ...Object.entries((schema['properties'] ?? {}) as { readonly [name: string]: JsonObject }),
      ...((schema['allOf'] ?? []) as readonly JsonObject[]).flatMap(fieldsIn),
      ...(typeof schema['$ref'] === 'string' ? fieldsIn(description.schemas[schema['$ref'].split('/').at(-1)!]!) : []),
    ];
    const members = description.operations.flatMap(({ path, parameters, request }) => [
      ...parameters.map(parameter => ({ path, name: parameter.name, text: parameter.description })),
      ...(request ? fieldsIn(request.schema) : []).map(([name, field]) => ({ path, name, text: field.description })),
    ]);
    expect(members.length).toBeGreaterThan(150);
    const silent = members.filter(({ text = '' }) => text.trim().length < 3);
    expect(silent.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
  });

  test('marks the required query parameters', () => {
    const required = api.operations.flatMap(({ id, parameters }) =>
      parameters
        .filter(each => each['in'] === 'query' && each['required'])
        .map(each => `${id}: ${each['name'] as string}`),
    );
    expect(required).toEqual(['get_search: q']);
  });

  test('names the limits of each operation', () => {
    const described = (id: string) =>
      (api.operations.find(each => each.id === id)!.responses['200'] as { headers: object }).headers;
    expect(Object.keys(described('apply'))).toEqual(expect.arrayContaining(['ratelimit-policy', 'ratelimit']));
    expect(Object.keys(described('get_roles'))).toEqual(expect.arrayContaining(['ratelimit-policy', 'ratelimit']));
    const health = api.operations.find(({ id }) => id === 'get_health_live')!;
    expect(health.responses['429']).toBeUndefined();
    const text = JSON.stringify(api.document);
    for (const sentence of ['`whoami` 60 an hour per agent', '`apply_new` 6 a day per agent', '`reads`: 600 a minute'])
      expect(text).toContain(sentence);
  });

  test('the OpenAPI description is complete because only declarations create controllers', () => {
    const files = [...filesOf('apps'), ...filesOf('libs')];
    const making = files.filter(path => /\b(Controller|Get|Post|Put|Delete|Patch|All)\(/.test(textOf(path)));
    expect(making).toEqual(['libs/endpoints/controller.ts']);
  });

  test('the OpenAPI description has no dangling reference and no unused schema', () => {
    const text = JSON.stringify(api.document);
    const refs = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, path]) => path!));
    const components = api.document['components'] as { [kind: string]: JsonObject };
    const has = (path: string) => components[path.split('/')[0]!]?.[path.split('/')[1]!] !== undefined;
    expect([...refs].filter(path => !has(path))).toEqual([]);
    expect(Object.keys(components['schemas']!).filter(name => !refs.has(`schemas/${name}`))).toEqual([]);
    expect(text).not.toMatch(/x-shape|x-rare/);
  });

  test('names every answer, failure and offer, so that generators have types', () => {
    const named = api.operations.flatMap(({ id, responses }) =>
      Object.entries(
        responses as { [status: string]: { content?: { [media: string]: { schema: JsonObject } } } },
      ).flatMap(([status, { content = {} }]) =>
        Object.entries(content)
          .filter(([media]) => media.endsWith('json'))
          .map(([media, { schema }]) => ({ id, status, media, ref: schema['$ref'] as string | undefined })),
      ),
    );
    expect(named.filter(({ ref }) => ref === undefined)).toEqual([]);
    const offers = named.filter(({ status, media }) => status === '402' && media === 'application/json');
    expect([...new Set(offers.map(({ ref }) => ref))]).toEqual(['#/components/schemas/PaymentRequired']);
  });

  test('the OpenAPI description has no $ref in an example, because generators resolve it', () => {
    const refs: string[] = [];
    const visit = (value: unknown, path: string, isData: boolean): void => {
      if (typeof value !== 'object' || value === null) return;
      if (isData && '$ref' in value) refs.push(path);
      for (const [name, member] of Object.entries(value))
        visit(member, `${path}/${name}`, isData || ['example', 'examples', 'default'].includes(name));
    };
    visit(api.document['paths'], '', false);
    visit(api.document['components'], '', false);
    expect(refs).toEqual([]);
  });

  test('has a valid request and response example for every operation', () => {
    for (const { id, path, method, request, responses } of api.operations) {
      const at = ['paths', path, method] as const;
      const media = (responses['200'] as { content: { [type: string]: { example?: JsonObject } } }).content;
      if (!media['application/json']) continue;
      const answer = media['application/json'].example;
      const check = api.check(...at, 'responses', '200', 'content', 'application/json', 'schema');
      expect([id, check(answer)]).toEqual([id, null]);
      if (method === 'get') continue;
      const loose = api.check(...at, 'requestBody', 'content', 'application/json', 'schema');
      expect([id, request!.example === undefined, loose(request!.example)]).toEqual([id, false, null]);
    }
  });

  test('says that a body is needed where an empty one is never valid', () => {
    const paths = api.document['paths'] as { [path: string]: { post: { requestBody: { required: boolean } } } };
    for (const { id, path, method } of api.operations.filter(({ request }) => request !== null)) {
      const check = api.check('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
      expect([id, paths[path]!.post.requestBody.required]).toEqual([id, check({}) !== null]);
    }
  });

  test('the OpenAPI description has a valid example for every required parameter', () => {
    for (const { id, path, method, parameters } of api.operations)
      parameters.forEach(({ name, in: place, required, example }, at) => {
        const isNeeded = required === true && place !== 'header';
        expect([id, name, isNeeded && example === undefined]).toEqual([id, name, false]);
        if (example === undefined) return;
        const check = api.check('paths', path, method, 'parameters', String(at), 'schema');
        expect([id, name, check(example)]).toEqual([id, name, null]);
      });
  });

  test('the OpenAPI description lists every error code with its status', () => {
    const listed = api.document['x-error-codes'] as unknown as { code: string; status: number; retryable: boolean }[];

    expect(listed.map(({ code }) => code).sort()).toEqual(Object.keys(ERROR_CODES).sort());
    const { description } = api.document['info'] as { description: string };
    for (const { code, status } of listed) expect(description).toContain(`| ${status} | \`${code}\` |`);
  });

  test('the OpenAPI description describes the payment of a paid operation', () => {
    const operation = (path: string) => (api.document['paths'] as { [path: string]: { post: JsonObject } })[path]!.post;
    const fixed = { protocols: ['x402'], pricingMode: 'fixed', price: '1.000000', currency: 'USD' };
    expect(operation('/api/verify')['x-payment-info']).toEqual(fixed);
    expect(operation('/api/pay')['x-payment-info']).toEqual({ protocols: ['x402'], pricingMode: 'quote' });
    expect(operation('/api/apply')['x-payment-info']).toBeUndefined();
    expect(Object.keys(operation('/api/verify')['responses'] as JsonObject)).toContain('402');
  });

  test('the OpenAPI description shows a signing example that matches the signed layout', () => {
    const { description } = api.document['info'] as { description: string };
    const example = /signed as\n\n((?: {4}.*\n)+)/.exec(description)![1]!.replace(/^ {4}/gm, '').trimEnd();
    const [tag, endpoint, timestamp, nonce, museId] = example.split('\n');
    const fields = { note: 'I can.', origin: BASE_URL, role: 'job-1' };
    const made = { tag: tag!, endpoint: endpoint!, timestamp: timestamp!, nonce: nonce!, museId: museId!, fields };
    expect(signedMessage(made)).toBe(example);
  });
});
