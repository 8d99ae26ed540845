import { beforeAll, expect, test } from '@jest/globals';
import { hireWithEscrow } from '../escrow-payment.js';
import { PURCHASES } from '../purchases.js';
import type { PurchaseFixture } from '../purchase-fixture.js';
import { type RawAgent, requireOk } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { operatorBeside } from './operator-beside.js';
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

test('payments of a forgotten agent stay in other statements, by its id', async () => {
  const leaver = await world.raw('Statement leaver');
  const paid = await PURCHASES['pay']!(world, 'usdc-base', leaver);
  requireOk(await paid.buy());
  const poster = paid.terms.agent;
  await world.settle();
  const statements = async () => {
    const { json } = await operatorBeside(world, ['statement', month]);
    const lines = (json as unknown as { readonly lines: readonly { readonly agent: string }[] }).lines;
    return { poster: await statementOf(poster), operator: lines.filter(({ agent }) => agent === poster.museId) };
  };
  const before = await statements();
  expect(before.poster.csv).toContain(`,paid,pay,${leaver.museId},10,`);
  await leaver.ok('forget', { confirm: leaver.museId });
  await world.settle();
  expect(await statements()).toEqual(before);
  expect(await leaver.post('statement', { month })).toMatchObject({ status: 401, body: { code: 'forgotten' } });

  await poster.ok('forget', { confirm: poster.museId });
  const { json, text } = await operatorBeside(world, ['statement', month]);
  expect(json).toMatchObject({ lines: expect.arrayContaining(before.operator) });
  expect(text).not.toContain('Statement leaver');
});

test('a worker keeps the wage in its statement when its poster is forgotten', async () => {
  const hired = await world.raw('Statement stayer');
  const paid = await PURCHASES['pay']!(world, 'usdc-base', hired);
  requireOk(await paid.buy());
  const { agent } = paid.terms;
  await world.settle();
  const before = await statementOf(hired);
  await agent.ok('forget', { confirm: agent.museId });
  await world.settle();
  expect(await statementOf(hired)).toEqual(before);
  expect(before.csv).toContain(`,received,pay,${agent.museId},10,`);
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
