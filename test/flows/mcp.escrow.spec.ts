import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { applyForEscrow, escrowHeader } from '../escrow-payment.js';
import { callTool } from '../mcp.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { decodeBase64Json } from '../x402.js';

const world = useSharedWorld();

const tokenOf = async (agent: RawAgent) => textOf(await agent.ok('token', { action: 'issue', scope: 'work' }), 'token');

test('tools fund the escrow of a hire, accept its delivery and read who holds the wage', async () => {
  const [poster, worker] = await world.raws('Secures by tools', 'Delivers by tools');
  const [token, workerToken] = [await tokenOf(poster), await tokenOf(worker)];
  const fields = await applyForEscrow(poster, worker);
  await world.settle();
  const job = await callTool(world.url, 'read_job', { slug: fields.role });
  expect(job.structuredContent).toMatchObject({ role: { escrow: { work_days: 7, undecided: 'returned' } } });

  const offered = await callTool(world.url, 'hire', { ...fields, token });
  expect(offered).toMatchObject({ isError: true, structuredContent: { accepts: [{ scheme: 'auth-capture' }] } });
  const header = await escrowHeader(poster, await poster.post('hire', fields));
  const meta = { 'x402/payment': decodeBase64Json(header['payment-signature']) as JsonObject };
  const hired = await callTool(world.url, 'hire', { ...fields, token }, { meta });
  expect(hired.structuredContent).toMatchObject({ ok: true, paid: true, position: { escrow: { status: 'funded' } } });

  const hire = JSON.stringify(hired.structuredContent['hire']);
  await callTool(world.url, 'deliver', { hire, url: world.page('By tools.'), token: workerToken });
  const accepted = await callTool(world.url, 'accept', { hire, token });
  expect(accepted.structuredContent).toMatchObject({ ok: true });
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('Paid'));
  await world.settle();
  for (const each of [token, workerToken]) {
    const { structuredContent } = await callTool(world.url, 'list_hires', { token: each });
    const held = expect.objectContaining({ status: 'released', usd: '10', reason: 'accepted' }) as unknown;
    expect(structuredContent['hires']).toContainEqual(expect.objectContaining({ hire: Number(hire), escrow: held }));
  }
});
