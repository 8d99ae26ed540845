import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { applyForEscrow, fundHire } from '../escrow-payment.js';
import { textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';

const world = useWorld();

async function eventOf(type: string, hire: string) {
  const events = await world.events();
  return events.find(each => each.type === type && (each.data as JsonObject)['hire'] === Number(hire));
}

test('a worker gets escrow_funded once the block of the funding is final', async () => {
  const [poster, worker] = await world.raws('poster', 'worker');
  const fields = await applyForEscrow(poster, worker);
  const notices = async () => {
    await world.settle();
    const { body } = await worker.ok('inbox');
    return (body['items'] as unknown as JsonObject[]).filter(({ kind }) => kind === 'escrow_funded');
  };
  const chain = world.service.chains.chains.find(({ rail }) => rail.name === 'usdc-base')!;
  const heads = chain.heads.bind(chain);
  let isFinal = false;
  chain.heads = async () => ({ ...(await heads()), ...(!isFinal && { final: 0 }) });
  const hire = textOf(await fundHire(poster, fields), 'hire');
  await world.advance(MINUTE_MS);
  expect([await eventOf('EscrowSecured', hire), await notices()]).toEqual([undefined, []]);
  isFinal = true;
  await waitUntil(async () => (await eventOf('EscrowSecured', hire)) !== undefined);
  const { tx } = (await eventOf('EscrowFunded', hire))!.data as { readonly tx: string };
  expect(await eventOf('EscrowSecured', hire)).toMatchObject({ data: { tx, worker: worker.museId } });
  expect(await notices()).toMatchObject([{ hire: Number(hire), amount_usd: '10', role: fields.role }]);
});
