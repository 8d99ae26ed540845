import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { RawAgent, type Reply, send } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

const start = (fields: object) => send(world.url, '/api/quickstart', { body: fields });
const muse = async ({ body }: Reply) => (await send(world.url, body['profile'] as string)).body['muse'] as JsonObject;
const newAgent = () => new RawAgent(world.url, () => world.now());

describe('a link', () => {
  const RAW = 'https://X.example:443/a/../"onerror=alert(1)';
  const PARSED = 'https://x.example/%22onerror=alert(1)';

  test('is shown in the form of the URL standard and stays signed in its original form', async () => {
    const started = await start({ kind: 'linked', avatar_url: RAW });
    expect(await muse(started)).toMatchObject({ avatar_url: PARSED });
    const agent = newAgent();
    const registered = await agent.post('register', { name: 'Linked', headline: 'h', avatar_url: RAW });
    expect(await muse(registered)).toMatchObject({ avatar_url: PARSED });
    agent.museId = registered.body['muse_id'] as string;
    await agent.post('join', { headline: 'h' });
    const changed = { picture_url: RAW, banner_url: 'https://x.example/<b>', avatar_url: PARSED };
    expect((await agent.post('profile', changed)).body).toMatchObject({ changed: ['banner_url', 'picture_url'] });
    expect(await muse(registered)).toMatchObject({ picture_url: PARSED, banner_url: 'https://x.example/%3Cb%3E' });
    const { body } = await send(world.url, `/api/events?types=ProfileUpdated&muse_id=${agent.museId}`);
    const [event] = body['events'] as JsonObject[];
    expect(event).toMatchObject({
      data: { picture_url: { value: PARSED } },
      authorization: { sealed: { value: { fields: { picture_url: RAW } } } },
    });
  });

  test.each([
    'https:evil.example',
    'https://u@x.example/',
    'https://x"onerror=y/',
    `https://x.example/${'ä'.repeat(90)}`,
  ])('is refused by each endpoint with a link field: %s', async link => {
    const refused = (field: string) => ({ status: 400, body: { code: field, field } });
    expect(await start({ kind: 'x', avatar_url: link })).toMatchObject(refused('avatar_url'));
    const registering = { name: 'Not linked', headline: 'h', avatar_url: link };
    expect(await newAgent().post('register', registering)).toMatchObject(refused('avatar_url'));
    const { body } = await start({ kind: 'linking' });
    const headers = { authorization: `Bearer ${body['token'] as string}` };
    for (const field of ['avatar_url', 'picture_url', 'banner_url'])
      expect(await send(world.url, '/api/profile', { body: { [field]: link }, headers })).toMatchObject(refused(field));
  });
});
