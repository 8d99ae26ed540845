import { expect, test } from '@jest/globals';
import { SALES } from '#libs/service/sales.js';
import { Facts } from '#libs/audit/rules/facts.js';
import { MUSE_RULES } from '#libs/audit/rules/muse.js';
import { Muse, TokenIssued } from '#libs/streams/muse.js';
import { asEvents, NOW } from '../../given.js';
import { POSTER, registered } from '../features/worlds.js';

const RULES = new Map(MUSE_RULES);

/** What is wrong with a token that ends so long behind its event, ms. */
function problemsOf(validMs: number): readonly string[] {
  const facts = new Facts(SALES);
  const issued = TokenIssued({ muse_id: POSTER, hash: '0'.repeat(64), expires_at: NOW + validMs });
  const [before, event] = asEvents([registered, issued], Muse.named(POSTER));
  facts.take(before!);
  return RULES.get(TokenIssued.type)!({ ...event!, at: NOW } as never, facts);
}

test('a token ends behind the event that issued it, however long it is valid', () => {
  expect([problemsOf(1), problemsOf(1e12)]).toEqual([[], []]);
  for (const validMs of [0, -1]) expect(problemsOf(validMs)).toEqual(['The token had ended when it was issued.']);
});
