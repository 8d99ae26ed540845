import { expect, test } from '@jest/globals';
import { statement } from '#libs/features/statements/statement.js';
import { Muse } from '#libs/domain/muse.js';
import { NOW } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { told } from './worlds.js';

const AGENT = 'agent_0123456789';
const LINES_MAX = 1_000;
const line = {
  payment: '8453:0x1:0x2:0x3',
  endpoint: 'message',
  payer: AGENT,
  payee: null,
  rail: 'usdc-base',
  amount: '250000',
  is_escrowed: false,
  state: 'settled',
  tx: `0x${'1'.repeat(64)}`,
  settled_at: NOW,
  month: '2026-11',
  opened: '1',
};

/** The statement of an agent that made some payments, of which a store returns no more than its limit. */
async function statementOf(count: number) {
  const stores = await InMemoryStores.with(Muse.streamName(AGENT), told('Registered', { muse_id: AGENT }));
  const find = async ({ index, limit }: { readonly index: string; readonly limit: number }) =>
    index === 'byPayer' ? Array.from({ length: Math.min(count, limit) }, () => ({ body: line })) : [];
  const uses = { models: { of: () => ({ find }) }, journal: stores.journal } as never;
  const { body } = await statement.find({ month: '2026-11' }, { actor: AGENT } as never, uses, undefined as never);
  return body as unknown as { readonly complete: boolean; readonly csv: string; readonly paid_usd: string };
}

test('a statement says whether it lists every payment of the month', async () => {
  expect(await statementOf(LINES_MAX - 1)).toMatchObject({ complete: true, paid_usd: '249.75' });
  const { complete, csv, paid_usd } = await statementOf(LINES_MAX + 1);
  expect([complete, paid_usd, csv.trimEnd().split('\r\n').length]).toEqual([false, '250', LINES_MAX + 1]);
});
