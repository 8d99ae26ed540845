import { expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { newIdempotencyKey } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { encodeBase64Json, type OfferedEntry, signPayload } from '../x402.js';
import { CLIENTS, type Host, type Result } from './mcp-clients.js';

const world = useWorld();

interface Offer {
  readonly x402Version: number;
  readonly resource: { readonly url: string };
  readonly accepts: readonly OfferedEntry[];
}

const offerIn = ({ structuredContent }: Result) => structuredContent as unknown as Offer;

async function paymentOf(wallet: ReturnType<typeof Wallet.createRandom>, offer: Offer, changed = {}) {
  const headers = new Headers({ 'payment-required': encodeBase64Json(offer) });
  const reply = { status: 402, headers, body: {} };
  return {
    x402Version: 2,
    accepted: offer.accepts[0]!,
    payload: await signPayload(wallet, reply, world.now(), changed),
  };
}

async function joined(host: Host, name: string) {
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  const { token } = (await host.call('quickstart', { name })).structuredContent as { token: string };
  return { wallet, args: { token, wallet: wallet.address, idempotency_key: newIdempotencyKey() } };
}

test.each(CLIENTS)('%s pays once for a tool, even for repeated calls', async (name, connect) => {
  const host = await connect(world.url);
  await host.tools();
  const { wallet, args } = await joined(host, `Payer ${CLIENTS.findIndex(([each]) => each === name)}`);
  const offered = await host.call('verify', args);
  const offer = offerIn(offered);
  expect(offered.isError).toBe(true);
  expect(offer).toMatchObject({ x402Version: 2, resource: { url: `${world.url}/api/verify` } });
  expect(offer).toMatchObject({ extensions: { 'offer-receipt': { info: { offers: [{}, {}] } } } });
  expect(JSON.parse(offered.content[0]!.text!)).toEqual(offer);
  expect(offered.content[1]!.text).toContain('idempotency_key');
  const meta = { 'x402/payment': await paymentOf(wallet, offer) };
  const paid = await host.call('verify', args, meta);
  expect(paid.isError ?? false).toBe(false);
  expect(paid.structuredContent).toMatchObject({ ok: true, verified: true, paid: true });
  const { extensions } = paid.structuredContent as { extensions: object };
  expect(extensions).toMatchObject({ 'offer-receipt': { info: { receipt: { format: 'jws' } } } });
  expect(paid._meta!['x402/payment-response']).toMatchObject({ success: true, payer: wallet.address, extensions });
  const again = await host.call('verify', args, meta);
  expect(again.structuredContent).toEqual(paid.structuredContent);
  await host.close();
});

test('a refused payment returns the offer again with the reason', async () => {
  const host = await CLIENTS[0]![1](world.url);
  const { wallet, args } = await joined(host, 'Refused');
  const offer = offerIn(await host.call('verify', args));
  const wrong = await paymentOf(wallet, offer, { value: '1' });
  const refused = await host.call('verify', args, { 'x402/payment': wrong });
  expect(refused.isError).toBe(true);
  expect(offerIn(refused)).toMatchObject({ x402Version: 2, accepts: offer.accepts });
  expect(refused.content[1]!.text).toContain('wrong_amount');
  expect(refused._meta ?? {}).not.toHaveProperty('x402/payment-response');
  const paid = await host.call('verify', args, { 'x402/payment': await paymentOf(wallet, offer) });
  expect(paid.structuredContent).toMatchObject({ ok: true, verified: true });
  const unreadable = await host.call('verify', { ...args, rebind: true }, { 'x402/payment': 'money' });
  expect(unreadable).toMatchObject({ isError: true, structuredContent: { ok: false } });
  await host.close();
});
