import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { hireWithEscrow } from '../escrow-payment.js';
import type { RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

const types = (hire: string) => world.eventTypes(`hire-${hire}`);
const award = (hire: string, ...more: string[]) => operatorBeside(world, ['award-escrow', hire, ...more]);

describe('an escrow that the operator decides', () => {
  test('goes to the worker of a disputed hire, and its parties read why', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await worker.ok('deliver', { hire, url: world.page(`done ${hire}`) });
    await expect(award(hire, 'worker')).rejects.toMatchObject({ code: 'escrow_holds' });
    await poster.ok('dispute', { hire, reason: 'The page is not in French as agreed.' });
    const operator_reason = 'The page is in French.';
    const report = await award(hire, 'worker', '--reason', operator_reason);
    expect(report).toMatchObject({ ok: true, json: { hire: Number(hire), to: 'worker' } });
    await waitUntil(async () => (await types(hire)).includes('Paid'));
    const why = { reason: 'operator', operator_reason };
    expect(await world.hireOf(worker, hire)).toMatchObject({ escrow: { status: 'released', ...why } });
    for (const party of [poster, worker]) {
      const { body } = await party.ok('inbox');
      const notice = { kind: 'escrow_released', hire: Number(hire), ...why };
      expect(body['items']).toContainEqual(expect.objectContaining(notice));
    }
    await expect(award(hire, 'poster')).rejects.toMatchObject({ code: 'escrow_over' });
  });

  test('goes back from a hire whose worker is suspended', async () => {
    const [suspended] = await world.raws('suspended worker');
    const { hire } = await hireWithEscrow(poster, suspended);
    await operatorBeside(world, ['suspend', suspended.museId]);
    await expect(award(hire, 'worker')).rejects.toMatchObject({ code: 'not_delivered' });
    await expect(award(hire, 'house')).rejects.toThrow('The receiver must be worker or poster.');
    await award(hire, 'poster', '--reason', 'Its worker is suspended.');
    await waitUntil(async () => (await types(hire)).includes('EscrowClosed'));
    await poster.ok('end_hire', { hire, reason: 'Its worker is suspended.' });
  });
});

test('the operator lists the open escrows of an account', async () => {
  const { hire } = await hireWithEscrow(poster, worker);
  const [account] = world.service.chains.chains.map(({ relayer }) => relayer.toLowerCase());
  const { ok, json, text } = await operatorBeside(world, ['escrows']);
  const listed = { account, hire: Number(hire), usd: '10', status: 'funded', has_key: true };
  const { escrows } = json as unknown as { readonly escrows: readonly JsonObject[] };
  expect(escrows).toContainEqual(expect.objectContaining(listed));
  expect([ok, text.includes(`${account}`)]).toEqual([true, true]);
  expect((await world.read('/api/health'))['payments']).toMatchObject({ accounts_without_key: [] });
});
