import { expect, test } from '@jest/globals';
import { SALES } from '#libs/service/sales.js';
import { MUSE_RULES } from '#libs/audit/rules/muse.js';
import { Facts } from '#libs/audit/rules/facts.js';
import { Muse, OperatorVerified, Reinstated, Suspended } from '#libs/streams/muse.js';
import type { Fact } from '#libs/kernel/event.js';
import { publicKeyNoble, signNoble } from '#libs/signing/noble.js';
import { asEvents, NOW } from '../../given.js';
import { registered, WORKER } from '../features/worlds.js';

const RULES = new Map(MUSE_RULES);
const seed = new Uint8Array(32).fill(5);
const signed = '"@authority": jobs.example\n"signature-agent": "https://operator.example"\n"@signature-params": ()';

const proof = (changed: Partial<Parameters<typeof OperatorVerified>[0]> = {}) =>
  OperatorVerified({
    muse_id: WORKER,
    domain: 'operator.example',
    public_key: publicKeyNoble(seed),
    signed_at: NOW - 1,
    expires_at: NOW + 60_000,
    operator_signed: signed,
    operator_signature: signNoble(seed, signed),
    ...changed,
  });

/** What is wrong with the last of some facts behind the muse's registration. */
function problems(actor: string, ...facts: readonly Fact[]): readonly string[] {
  const { muse_id } = registered.data as { readonly muse_id: string };
  const moved = [registered, ...facts].map(fact => ({ ...fact, data: { ...(fact.data as object), muse_id } }));
  const events = asEvents(moved, Muse.named(muse_id));
  const all = new Facts(SALES);
  for (const event of events.slice(0, -1)) all.take(event);
  const last = { ...events.at(-1)!, actor };
  return RULES.get(last.type)!(last as never, all);
}

test('an operator’s signature is verified again where it is at hand', () => {
  expect(problems(WORKER, proof())).toEqual([]);
  const hidden = { operator_signed: null, operator_signature: null } as unknown as Parameters<typeof proof>[0];
  expect(problems(WORKER, proof(hidden))).toEqual([]);
  expect(problems(WORKER, proof({ operator_signature: signNoble(seed, 'else') }))).toEqual([
    'The signature of its operator does not verify.',
  ]);
  expect(problems(WORKER, proof({ domain: 'other.example' }))).toEqual([
    'What its operator has signed names another domain.',
  ]);
  expect(problems(WORKER, proof({ expires_at: NOW }))).toEqual(['The signature of its operator had expired.']);
});

test('the operator alone suspends a muse, and reinstates one that is', () => {
  const [suspended, reinstated] = [Suspended({ muse_id: WORKER }), Reinstated({ muse_id: WORKER })];
  expect(problems('operator', suspended)).toEqual([]);
  expect(problems('operator', suspended, reinstated)).toEqual([]);
  expect(problems('operator', suspended, suspended)).toEqual(['It was suspended before.']);
  expect(problems('operator', reinstated)).toEqual(['It was not suspended.']);
  expect(problems(WORKER, suspended)[0]).toContain('only the operator');
});
