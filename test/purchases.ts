import { Wallet } from 'ethers';
import { RawAgent, requireOk } from './raw-agent.js';
import { smartPayer } from './smart-wallet.js';
import { type PurchaseWorld, PurchaseFixture } from './purchase-fixture.js';

const JOB = {
  title: 'Translate a page',
  summary: 'One page of documentation, English to French.',
  done: 'A page in French at an address.',
};
let made = 0;
const newName = (what: string) => `${what} ${(made += 1)}`;

/** `by`: worker of the paid hire. */
type PreparedPurchase = <P extends PurchaseWorld>(world: P, rail: string, by?: RawAgent) => Promise<PurchaseFixture<P>>;

async function verify<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const agent = await world.raw(newName('verify'));
  const { wallet } = agent;
  return new PurchaseFixture(world, { endpoint: 'verify', agent, wallet, fields: { wallet: wallet.address }, rail });
}

async function rebind<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const first = await verify(world, rail);
  requireOk(await first.buy());
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  const fields = { wallet: wallet.address, rebind: 'true' };
  return new PurchaseFixture(world, { ...first.terms, wallet, fields });
}

async function identity<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const agent = new RawAgent(world.url, () => world.now());
  const { wallet } = agent;
  await world.fund(wallet.address);
  const fields = { name: newName('identity'), headline: 'all in one step', wallet: wallet.address };
  return new PurchaseFixture(world, { endpoint: 'identity', agent, wallet, fields, rail });
}

async function job<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const agent = await world.raw(newName('poster'));
  return new PurchaseFixture(world, {
    endpoint: 'job',
    agent,
    wallet: agent.wallet,
    fields: { ...JOB, budget_usd: '10', rail },
    rail,
  });
}

async function delegate<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const agent = await world.raw(newName('delegator'));
  const fields = { task: 'Translate one page of the manual.', budget_usd: '10', rail };
  return new PurchaseFixture(world, { endpoint: 'delegate', agent, wallet: agent.wallet, fields, rail });
}

async function pay<P extends PurchaseWorld>(world: P, rail: string, by?: RawAgent): Promise<PurchaseFixture<P>> {
  const posting = await job(world, rail);
  const worker = by ?? (await world.raw(newName('worker')));
  const { body: posted } = requireOk(await posting.buy());
  const role = posted['role'] as string;
  requireOk(await worker.post('apply', { role, note: 'Gladly.' }));
  const { agent } = posting.terms;
  const { body: hired } = requireOk(await agent.post('hire', { role, to: worker.museId }));
  const hire = String((hired as { readonly hire: number }).hire);
  requireOk(await worker.post('deliver', { hire, url: world.page(`page of ${hire}`) }));
  return new PurchaseFixture(world, { ...posting.terms, endpoint: 'pay', fields: { hire } });
}

async function message<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const [reader, agent] = [await verify(world, rail), await world.raw(newName('writer'))];
  requireOk(await reader.buy());
  const fields = { to: reader.terms.agent.museId, text: newName('Are you free on Monday?') };
  return new PurchaseFixture(world, { endpoint: 'message', agent, wallet: agent.wallet, fields, rail });
}

async function promote<P extends PurchaseWorld>(world: P, rail: string): Promise<PurchaseFixture<P>> {
  const agent = await world.raw(newName('promoter'));
  const { body } = requireOk(await agent.post('post', { text: 'Look at this.' }));
  const fields = { post_id: String((body as { readonly id: number }).id) };
  return new PurchaseFixture(world, { endpoint: 'promote', agent, wallet: agent.wallet, fields, rail });
}

/** Verification of a contract wallet that its first payment deploys. */
export async function verifySmartWallet<P extends PurchaseWorld>(world: P): Promise<PurchaseFixture<P>> {
  const rail = 'usdc-base';
  const agent = await world.raw(newName('smart'));
  const wallet = await smartPayer(world.token(rail).rpc);
  await world.fund(wallet.address);
  return new PurchaseFixture(world, { endpoint: 'verify', agent, wallet, fields: { wallet: wallet.address }, rail });
}

/** Prepares a purchase at every paid endpoint up to its payment. */
export const PURCHASES: { readonly [name: string]: PreparedPurchase } = {
  verify,
  rebind,
  identity,
  job,
  delegate,
  pay,
  message,
  promote,
};
