import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PAGES } from '#libs/pages/pages.js';
import { type Story, tellStory } from '../face/page-story.js';
import { PURCHASES } from '../purchases.js';
import { type Reply, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { offerOf } from '../x402.js';

interface Receipt {
  readonly kind: string;
  readonly data: { readonly url: string; readonly play_money: boolean; readonly tx: string };
}

const PAGE = { accept: 'text/html' };
let world: World;
let story: Story;
beforeAll(async () => {
  world = await World.start();
  story = await tellStory(world);
});
afterAll(() => world.stop());

const pageAt = async (path: string) => {
  const response = await fetch(world.url + path, { headers: PAGE });
  return { status: response.status, text: await response.text() };
};

describe('a development chain is marked as play money', () => {
  test.each(PAGES.map(({ path }) => path))('on the page %s', async path => {
    const { status, text } = await pageAt(path.replace(/:(\w+)/g, (_all, name: string) => story[name]!));
    expect(status).toBe(200);
    expect(text).toMatch(/Play money/);
    expect(text).not.toMatch(/basescan|blockscout/);
  });

  test('on the page of an address that does not exist', async () => {
    const { status, text } = await pageAt('/nothing');
    expect([status, /Play money/.test(text)]).toEqual([404, true]);
  });

  test('in every receipt, which links to a page of the service', async () => {
    const shown = (reply: Reply, list: string) =>
      (reply.body[list] as unknown as Receipt[]).filter(({ kind }) => kind === 'receipt');
    const receipts = [
      ...shown(await send(world.url, '/api/feed?kind=hires'), 'items'),
      ...shown(await send(world.url, `/api/muse/${story['id']!}`), 'receipts'),
    ];
    expect(receipts.length).toBeGreaterThan(1);
    for (const { data } of receipts) {
      expect(data).toMatchObject({ play_money: true, url: `${world.url}/records/${story['hire']!}` });
      const { status, text } = await pageAt(new URL(data.url).pathname);
      expect([status, text.includes(data.tx)]).toEqual([200, true]);
    }
  });

  test('in the receipt that the payer of a wage gets, also when it asks again', async () => {
    const purchase = await PURCHASES['pay']!(world, 'usdc-base');
    const payment = await purchase.sign();
    for (const reply of [await purchase.insist(payment), await purchase.pay(payment), await purchase.offer()]) {
      const { data } = reply.body['receipt'] as unknown as Receipt;
      expect(data).toMatchObject({ play_money: true, url: expect.stringContaining(`${world.url}/records/`) });
    }
  });

  test('in every offer, in header and body', async () => {
    for (const path of ['/api/verify', '/api/identity', '/api/promote']) {
      const reply = await send(world.url, path, { body: {} });
      const resource = { description: expect.stringMatching(/Play money/) as unknown };
      expect(reply.body).toMatchObject({ play_money: true, accepts: [resource] });
      expect(offerOf(reply)).toMatchObject({ play_money: true, resource });
    }
  });
});

test('the log can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
