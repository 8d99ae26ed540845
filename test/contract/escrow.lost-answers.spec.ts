import { expect, test } from '@jest/globals';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import type { Payments } from '#libs/payments/payments.js';
import { type Fault, Faults } from '../doubles/faults.js';
import { type Call, CALLS, END_OF, movedBy, useEscrowProcesses } from './escrow.processes.js';

const CASE_MS = 30_000;
const use = useEscrowProcesses();

const NODE_CALLS = ['view', 'simulate', 'nextRelayerNonce', 'sign', 'broadcast', 'logsOf', 'heads'] as const;
const LOST_ANSWERS: readonly (readonly [name: string, calls: readonly string[]])[] = [
  ...NODE_CALLS.map(name => [name, [name]] as const),
  ['every call', NODE_CALLS],
];
const faultsOf = (call: Call): readonly Fault[] =>
  call === 'capture' ? ['lost', 'unanswered'] : ['unanswered', 'lost'];

test.each(CALLS.flatMap(call => LOST_ANSWERS.map(([name, calls]) => [name, call, calls] as const)))(
  'lost answers of the node to %s do not change the %s of an escrow',
  async (_name, call, calls) => {
    const payload = await use.processes.escrow.fund();
    await use.processes.decide(payload, call);
    const faults = new Faults('The node');
    calls.forEach(each => faults.plan(each, ...faultsOf(call)));
    await endsOnce(use.processes.start({ chains: [faultyChain(faults)] }), payload, call);
    expect(faults.calls).toEqual(expect.arrayContaining([...calls]));
  },
  CASE_MS,
);

test.each(CALLS.flatMap(call => [0, 1].flatMap(at => faultsOf(call).map(fault => [at, fault, call] as const))))(
  'an append %i that is %s does not change the %s of an escrow',
  async (at, fault, call) => {
    const payload = await use.processes.escrow.fund();
    await use.processes.decide(payload, call);
    use.processes.escrow.log.faults.plan('append', ...Array.from({ length: at }, () => null), fault);
    await endsOnce(use.processes.start(), payload, call);
    expect(use.processes.escrow.end(payload).types).toHaveLength(2);
  },
  CASE_MS,
);

async function endsOnce(payments: Payments, payload: PaymentPayload, call: Call): Promise<void> {
  await use.processes.runUntil(payments, () => use.processes.endsOf(payload).length > 0);
  await payments.reconcile();
  expect(use.processes.endsOf(payload)).toEqual([END_OF[call]]);
  expect(await use.processes.moved()).toEqual(movedBy(call));
}

const faultyChain = (faults: Faults) =>
  new Proxy(use.processes.escrow.chain, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...values: readonly unknown[]) => faults.run(String(name), () => value.apply(target, values) as unknown);
    },
  });
