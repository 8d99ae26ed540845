import { expect, test } from '@jest/globals';
import { Bench } from './bench.js';

test.each([
  ['applied', false],
  ['void', true],
] as const)('the receipt of a payment that is %s says whether it had an effect', async (outcome, isVoid) => {
  const bench = new Bench();
  bench.outcome = outcome;
  const { body } = await bench.buy(bench.process(), bench.request(await bench.pay()));
  const signed = body['extensions'] as { 'offer-receipt': { info: { receipt: { signature: string } } } };
  const receipt = JSON.parse(signed['offer-receipt'].info.receipt.signature) as object;
  expect('void' in receipt).toBe(isVoid);
  expect(receipt).toMatchObject({ payer: bench.payer.address, ...(isVoid && { void: body['void'] }) });
});
