import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { buildTools } from '#libs/channels/mcp/tool.js';
import { ROUTES } from '#libs/service/routes.js';
import { callTool, type ToolResult } from '../mcp.js';
import { RawAgent } from '../raw-agent.js';
import { naming } from '../recovery-keys.js';
import { encodeBase64Json, signPayload, decodeBase64Json, encodePaymentV2 } from '../x402.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

type Args = { readonly [name: string]: string };
interface Agent {
  readonly raw: RawAgent;
  readonly token: string;
}

const tried = new Set<string>();

async function agent(name: string): Promise<Agent> {
  const raw = await world.raw(name);
  return { raw, token: (await raw.post('token', { action: 'issue' })).body['token'] as string };
}

/** Signs the payment for an offered tool call. */
async function paidBy({ raw }: Agent, offer: ToolResult) {
  const reply = {
    status: 402,
    headers: new Headers({ 'payment-required': encodeBase64Json(offer.structuredContent) }),
    body: {},
  };
  const payment = encodePaymentV2(reply, await signPayload(raw.wallet, reply, world.now()));
  return { meta: { 'x402/payment': decodeBase64Json(payment) as JsonObject } };
}

const isOffer = ({ structuredContent }: ToolResult) => 'accepts' in structuredContent;

/** Calls a tool as an agent and pays if required. */
async function done(who: Agent, tool: string, args: Args = {}) {
  const own = { ...args, token: who.token };
  const offer = await callTool(world.url, tool, own);
  const paying = isOffer(offer) ? await paidBy(who, offer) : {};
  const result = isOffer(offer) ? await callTool(world.url, tool, own, paying) : offer;
  expect([tool, result.structuredContent]).toEqual([tool, expect.objectContaining({ ok: true })]);
  return { answer: result.structuredContent, again: () => callTool(world.url, tool, own, paying) };
}

/** Asserts that a second identical call appends nothing to the log. */
async function twice(who: Agent, tool: string, args: Args = {}): Promise<void> {
  tried.add(tool);
  const { log } = world.service.stores;
  const { again } = await done(who, tool, args);
  await world.settle();
  const head = await log.head();
  const repeated = await again();
  await world.settle();
  expect([tool, repeated.structuredContent, await log.head()]).toEqual([tool, expect.anything(), head]);
}

test('a repeated call of a tool with idempotentHint writes nothing', async () => {
  const [poster, worker] = [await agent('Poster'), await agent('Worker')];
  const { museId } = worker.raw;
  await twice(worker, 'update_profile', { skills: 'french', headline: 'Translates' });
  await twice(worker, 'verify', { wallet: worker.raw.wallet.address });
  const job = { title: 'A page', summary: 'A page that is to be translated.', done: 'It is there.', skills: 'french' };
  const { answer: posted } = await done(poster, 'post_job', { ...job, budget_usd: '5', rail: 'usdc-base' });
  const role = posted['role'] as string;
  await done(worker, 'apply', { role, note: 'Gladly.' });
  await twice(poster, 'list_applications', { role });
  await twice(poster, 'hire', { role, to: museId });
  const hire = /"hire":(\d+)/.exec(JSON.stringify((await done(worker, 'inbox')).answer))![1]!;
  const { answer: written } = await done(worker, 'write_post', { text: 'Bonjour' });
  await done(worker, 'deliver', { hire, post_id: JSON.stringify(written['id']) });
  await done(poster, 'accept', { hire });
  await twice(poster, 'pay', { hire });
  const { answer: delegated } = await done(poster, 'delegate', { task: 'Translate one more page into French.' });
  await twice(poster, 'read_delegation', { role: delegated['role'] as string });
  await twice(poster, 'close_job', { role: delegated['role'] as string });
  for (const tool of ['whoami', 'find_jobs', 'find_people', 'prices', 'list_hires']) await twice(worker, tool);
  await twice(worker, 'statement', { month: '2026-11' });
  await twice(worker, 'read_job', { slug: role });
  await twice(worker, 'read_profile', { id: museId });
  await twice(worker, 'read_messages', { with: poster.raw.museId });
  await twice(worker, 'credential', { muse: museId });
  await twice(worker, 'hire_record', { hire });
  await twice(worker, 'block', { to: poster.raw.museId });
  await twice(worker, 'list_blocks');
  const recoveryKey = new RawAgent(world.url);
  await twice(worker, 'recovery', naming(recoveryKey, museId));
  await twice(worker, 'unblock', { to: poster.raw.museId });
  const promised = [...buildTools(ROUTES).values()].filter(({ hints }) => hints.idempotentHint).map(({ name }) => name);
  expect([...tried].sort()).toEqual(promised.sort());
}, 60_000);
