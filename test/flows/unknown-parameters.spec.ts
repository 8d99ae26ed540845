import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { quickstart, send } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const get = (path: string) => send(world.url, path);

describe('an unknown parameter', () => {
  const unknown = { ok: false, code: 'unknown_parameter', retryable: false };

  test.each([
    ['/api/people?skil=french', 'skil', 'skill'],
    ['/api/roles?Limit=5', 'Limit', 'limit'],
    ['/api/roles?skills=french', 'skills', 'skill'],
    ['/api/feed?colour=red&sort=new', 'colour', null],
    ['/api/events?typs=Hired', 'typs', 'types'],
    ['/api/search?q=a&x=1', 'x', null],
    ['/api/stats?limit=1', 'limit', null],
    ['/api/health?verbose', 'verbose', null],
    ['/api/health/live?x=1', 'x', null],
    ['/api/muse/agent_0000000000?full=1', 'full', null],
    ['/api/roles?utm_source=x&skil=french', 'skil', 'skill'],
    ['/api/instant?x=1', 'x', null],
    ['/api/hires?Limit=5', 'Limit', 'limit'],
  ])('in %s is refused with the nearest name', async (path, field, suggestion) => {
    const { headers } = await quickstart(world.url, { kind: 'reader' });
    expect(await send(world.url, path, { headers })).toMatchObject({
      status: 400,
      body: { ...unknown, field, suggestion, error: expect.stringContaining(field) as unknown },
    });
  });

  test('is refused together with all other faults of the query', async () => {
    const { body } = await get('/api/events?colour=red&limit=0&typs=x');
    expect(body).toMatchObject({ ...unknown, field: 'colour', reason: 'unknown_field', suggestion: null });
    expect((body['fields'] as unknown as JsonObject[]).map(each => each['field'])).toEqual(['colour', 'typs', 'limit']);
  });

  test('that names a campaign is ignored and listed', async () => {
    for (const path of ['/api/roles', '/api/feed', '/api/health'])
      expect(await get(`${path}?utm_source=a`)).toMatchObject({ status: 200, body: { ignored: ['utm_source'] } });
    expect((await get('/api/roles?limit=1')).body).not.toHaveProperty('ignored');
  });

  test.each([
    ...['/.well-known/x402', '/openapi.json', '/docs', '/docs/errors', '/skill.json', '/skill.md', '/jobs.json'],
    ...['/jobs.rss', '/feed.rss', '/picture.png', '/llms.txt', '/robots.txt', '/jobs', '/people', '/api'],
  ])('in %s is ignored', async path => {
    const accept = { accept: path === '/api' ? 'application/json' : '*/*' };
    const read = async (query: string) => {
      const { status, headers } = await send(world.url, path + query, { headers: accept });
      return [status, headers.get('content-type')];
    };
    expect(await read('?colour=red')).toEqual(await read(''));
  });
});
