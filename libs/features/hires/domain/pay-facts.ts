import type { Event } from '#libs/kernel/event.js';

const KINDS = {
  Delivered: 'delivered',
  Accepted: 'accepted',
  RevisionAsked: 'revision',
  Disputed: 'disputed',
  DisputeWithdrawn: 'settled',
  WageStarted: 'wage',
  WageLost: 'lost',
} as const;

export const PAY_FACT_KINDS = Object.values(KINDS);

/** Facts of a hire that move its pay term; `at` is unix ms. */
export type PayFact = { readonly kind: (typeof PAY_FACT_KINDS)[number]; readonly at: number };

/** Each fact in the order of the log. Another fact of the same kind in a row changes nothing but for a delivery. */
export function addPayFact(facts: readonly PayFact[], { type, at }: Pick<Event, 'type' | 'at'>): readonly PayFact[] {
  const kind = (KINDS as { readonly [type: string]: PayFact['kind'] | undefined })[type];
  if (kind === undefined) return facts;
  const isRepeated = facts.at(-1)?.kind === kind && (kind === 'accepted' || kind === 'disputed');
  return isRepeated ? facts : [...facts, { kind, at }];
}
