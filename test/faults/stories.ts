import { expect } from '@jest/globals';
import type { Event } from '#libs/kernel/event.js';
import { CLEAN, type World } from '../world.js';

const ENDS = ['PaymentRefused', 'PaymentExpired', 'PaymentApplied'];
const EFFECTS = ['JobPosted', 'MessageSent', 'Paid', 'Promoted', 'Verified'];
const ONCE = ['Registered', 'Joined', 'JobPosted', 'Hired', 'Delivered', 'Paid', ...ENDS, 'PaymentSettled'];

type Named = Event<string, { readonly [name: string]: string }>;

/** Asserts that each payment ended with one transfer and one effect of the same transaction, or with neither. */
export async function expectOneStoryEach(world: World): Promise<void> {
  const events = (await world.events()) as Named[];
  const accepted = events.filter(({ type }) => type === 'PaymentAccepted');
  expect(accepted.length).toBeGreaterThan(0);
  for (const { data } of accepted) {
    const settled = expectOneEnd(data['payment']!, events);
    const transfers = await world.token(data['rail']!).transfers(data['payer']!, data['pay_to']);
    const ours = transfers.filter(({ tx }) => tx === settled);
    expect(ours).toEqual(settled === null ? [] : [{ tx: settled, amount: BigInt(data['amount']!) }]);
    expect(transfers.filter(({ tx }) => !isSettled(tx, events))).toEqual([]);
  }
  expect(repeated(events)).toEqual([]);
  expect(await world.audit()).toEqual(CLEAN);
}

function expectOneEnd(payment: string, events: readonly Named[]): string | null {
  const of = (...types: string[]) =>
    events.filter(({ type, data }) => types.includes(type) && data['payment'] === payment);
  const [ends, settled, effects] = [of(...ENDS), of('PaymentSettled'), of(...EFFECTS)];
  const paid = ends.map(({ type }) => type === 'PaymentApplied');
  const tx = settled[0]?.data['tx'] ?? null;
  expect({ payment, settled: settled.map(() => true), effects: effects.map(() => true) }).toEqual({
    payment,
    settled: paid.filter(Boolean),
    effects: paid.filter(Boolean),
  });
  expect(ends).toHaveLength(1);
  expect(effects.every(({ data }) => data['tx'] === undefined || data['tx'] === tx)).toBe(true);
  return tx;
}

const isSettled = (tx: string, events: readonly Named[]) =>
  events.some(({ type, data }) => type === 'PaymentSettled' && data['tx'] === tx);

function repeated(events: readonly Named[]): string[] {
  const keys = events.filter(({ type }) => ONCE.includes(type)).map(({ stream, type }) => `${stream} ${type}`);
  return keys.filter((key, at) => keys.indexOf(key) !== at);
}
