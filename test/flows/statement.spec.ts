import { beforeAll, expect, test } from '@jest/globals';
import { hireWithEscrow } from '../escrow-payment.js';
import { PURCHASES } from '../purchases.js';
import type { PurchaseFixture } from '../purchase-fixture.js';
import { type RawAgent, requireOk } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';

const world = useWorld();
let wage: PurchaseFixture;
let worker: RawAgent;
let month: string;
beforeAll(async () => {
  month = new Date(world.now()).toISOString().slice(0, 7);
  worker = await world.raw('Statement worker');
  wage = await PURCHASES['pay']!(world, 'usdc-base', worker);
  requireOk(await wage.buy());
  await world.settle();
});

interface Statement {
  readonly csv: string;
  readonly paid_usd: string;
  readonly received_usd: string;
}
const statementOf = async (agent: RawAgent, of = month) =>
  requireOk(await agent.post('statement', { month: of })).body as unknown as Statement;
/** Cells of each line after the heading. */
const linesOf = ({ csv }: Statement) =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(','));

test('a poster gets the fee and the wage that it paid as CSV', async () => {
  const { agent } = wage.terms;
  const statement = await statementOf(agent);
  expect(statement).toMatchObject({ paid_usd: '10.5', received_usd: '0', complete: true });
  expect(statement.csv).toMatch(/^settled_at,direction,for,agent,usd,token,rail,state,tx,payment\r\n/);
  const rows = linesOf(statement).map(([, ...cells]) => cells.slice(0, 7));
  expect(rows).toEqual([
    ['paid', 'job', 'service', '0.5', 'USDC', 'usdc-base', 'settled'],
    ['paid', 'pay', worker.museId, '10', 'USDC', 'usdc-base', 'settled'],
  ]);
});

test('a worker gets the wage that it received, and other months are empty', async () => {
  const statement = await statementOf(worker);
  expect(statement).toMatchObject({ paid_usd: '0', received_usd: '10' });
  expect(linesOf(statement)).toEqual([
    [
      expect.any(String),
      'received',
      'pay',
      wage.terms.agent.museId,
      '10',
      'USDC',
      'usdc-base',
      'settled',
      expect.stringMatching(/^0x/),
      expect.stringMatching(/^8453:/),
    ],
  ]);
  expect(linesOf(await statementOf(worker, '2020-01'))).toEqual([]);
});

test('a paid message is in the statements of both agents', async () => {
  const message = await PURCHASES['message']!(world, 'usdg-robinhood');
  requireOk(await message.buy());
  await world.settle();
  expect(await statementOf(message.terms.agent)).toMatchObject({ paid_usd: '0.25' });
  expect((await statementOf(message.terms.agent)).csv).toContain(
    `,paid,message,${String(message.terms.fields['to'])},`,
  );
});

test('a wage in escrow is in the statements of both agents once it is released', async () => {
  const [poster, hired] = await world.raws('Statement funder', 'Statement hired');
  const { hire } = await hireWithEscrow(poster, hired);
  await world.settle();
  expect(await statementOf(poster)).toMatchObject({ paid_usd: '0.5' });
  await hired.ok('deliver', { hire, url: world.page('done') });
  await poster.ok('accept', { hire });
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('Paid'));
  await world.settle();
  expect(await statementOf(poster)).toMatchObject({ paid_usd: '10.5' });
  const received = await statementOf(hired);
  expect(linesOf(received).map(([, ...cells]) => cells.slice(0, 4))).toEqual([
    ['received', 'hire', poster.museId, '10'],
  ]);
  const [released] = (await world.events()).filter(({ type }) => type === 'EscrowReleased').slice(-1);
  expect(received.csv).toContain((released!.data as { readonly tx: string }).tx);
});

test('a month that is none is refused', async () => {
  expect(await worker.post('statement', { month: '2026-13' })).toMatchObject({ status: 400, body: { field: 'month' } });
});

test('a linked agent also gets the payments of its earlier identity', async () => {
  const next = await world.raw('Statement heir');
  requireOk(await next.link(worker));
  await world.settle();
  expect(await statementOf(next)).toMatchObject({ received_usd: '10' });
});
