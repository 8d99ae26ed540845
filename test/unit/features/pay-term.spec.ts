import { describe, expect, test } from '@jest/globals';
import { changePayPauses, NO_WALLET, type PayPauses, suspendedSpans, unpayableSpans } from '#libs/domain/pay-pauses.js';
import type { PayFact } from '#libs/features/hires/domain/pay-facts.js';
import { dueStateAt, nextDueTime, payStateAt, payTerm } from '#libs/features/hires/domain/pay-term.js';
import { DAY_MS } from '#libs/kernel/clock.js';

const day = (count: number) => count * DAY_MS;
const fact = (kind: PayFact['kind'], days: number): PayFact => ({ kind, at: day(days) });
const pausesAfter = (...events: readonly (readonly [type: string, days: number, data?: object])[]): PayPauses =>
  events.reduce((pauses, [type, days, data = {}]) => changePayPauses(pauses, { type, at: day(days), data }), NO_WALLET);

const PAYABLE = pausesAfter(['Verified', 0]);
const partiesOf = (poster: PayPauses, worker: PayPauses) => ({ poster: { muse: poster }, worker: { muse: worker } });
const OPEN = partiesOf(NO_WALLET, PAYABLE);
const factsOf = (facts: readonly PayFact[], isPaid = false) => ({ days: 3, facts, isPaid });
const dueOf = (facts: readonly PayFact[], parties = OPEN) => {
  const { due_at } = payTerm(factsOf(facts), parties);
  return due_at === null ? null : due_at / DAY_MS;
};
const stateOf = (facts: readonly PayFact[], at: number, isPaid = false) =>
  payStateAt(factsOf(facts, isPaid), payTerm(factsOf(facts, isPaid), OPEN), day(at));

const delivered = fact('delivered', 1);
const accepted = fact('accepted', 2);

describe('a pay term', () => {
  test('starts at the first acceptance, else seven days after the latest delivery', () => {
    expect(dueOf([])).toBeNull();
    expect(dueOf([delivered])).toBe(11);
    expect(dueOf([delivered, fact('delivered', 4)])).toBe(14);
    expect(dueOf([delivered, accepted, fact('accepted', 3)])).toBe(5);
    expect(dueOf([delivered, fact('accepted', 10)])).toBe(11);
  });

  test('begins again only with the answer to a revision that was asked in time', () => {
    expect(dueOf([delivered, fact('revision', 3)])).toBe(11);
    expect(dueOf([delivered, fact('revision', 3), fact('delivered', 20)])).toBe(30);
    expect(dueOf([delivered, fact('revision', 12), fact('delivered', 20)])).toBe(11);
    expect(dueOf([delivered, fact('delivered', 20)])).toBe(11);
  });

  test('stops for a dispute before its end, and leaves a day after that', () => {
    const disputed = [delivered, accepted, fact('disputed', 3)];
    expect(dueOf(disputed)).toBeNull();
    expect(dueOf([...disputed, fact('settled', 3.5)])).toBe(5);
    expect(dueOf([...disputed, fact('settled', 9)])).toBe(10);
    expect(dueOf([delivered, accepted, fact('disputed', 6)])).toBe(5);
    expect(dueOf([delivered, accepted, fact('disputed', 6), fact('settled', 9)])).toBe(5);
  });

  test('stops for a suspended poster and a worker without a wallet, also after its end', () => {
    const facts = [delivered, accepted];
    const suspended = pausesAfter(['Suspended', 6]);
    const reinstated = pausesAfter(['Suspended', 6], ['Reinstated', 7]);
    expect(dueOf(facts, partiesOf(suspended, PAYABLE))).toBeNull();
    expect(dueOf(facts, partiesOf(reinstated, PAYABLE))).toBe(8);
    expect(dueOf(facts, partiesOf(NO_WALLET, NO_WALLET))).toBeNull();
    expect(dueOf(facts, partiesOf(NO_WALLET, pausesAfter(['Verified', 6])))).toBe(7);
    const forgotten = pausesAfter(['Verified', 0], ['Suspended', 3], ['Forgotten', 4]);
    expect(dueOf(facts, partiesOf(forgotten, PAYABLE))).toBe(5);
    expect(dueOf(facts, partiesOf(NO_WALLET, forgotten))).toBeNull();
  });

  test('is met by a wage that was started in time', () => {
    const paid = [delivered, accepted, fact('wage', 5)];
    expect(stateOf(paid, 9, true)).toEqual({ due_at: day(5), overdue: false, paid_on_time: true });
    const late = [delivered, accepted, fact('wage', 5.1)];
    expect(stateOf(late, 9, true)).toEqual({ due_at: day(5), overdue: false, paid_on_time: false });
    // A wage that the chain does not show yet has a day.
    expect(stateOf(paid, 5.9)).toMatchObject({ overdue: false, paid_on_time: null });
    expect(stateOf(paid, 6.1)).toMatchObject({ overdue: true, paid_on_time: false });
    expect(dueOf([...paid, fact('lost', 8)])).toBe(9);
  });

  test('has three states, of which the newest is said once', () => {
    const term = payTerm(factsOf([delivered, accepted]), OPEN);
    const at = (days: number) => dueStateAt(term, day(days))?.state ?? null;
    expect([1.9, 2, 3.9, 4, 5, 5.1].map(at)).toEqual([null, 'due', 'due', 'soon', 'soon', 'overdue']);
    const due_at = day(5);
    expect(nextDueTime(term, null)).toBe(day(2));
    expect(nextDueTime(term, { state: 'due', due_at })).toBe(day(4));
    expect(nextDueTime(term, { state: 'soon', due_at })).toBe(day(5) + 1);
    expect(nextDueTime(term, { state: 'overdue', due_at })).toBeNull();
    expect(nextDueTime(term, { state: 'overdue', due_at: day(3) })).toBe(day(2));
    const short = payTerm({ days: 1, facts: [delivered, accepted], isPaid: false }, OPEN);
    expect(nextDueTime(short, { state: 'due', due_at: day(3) })).toBe(day(3) + 1);
  });
});

describe('the pauses of a linked muse', () => {
  const linked = pausesAfter(['Verified', 0], ['VerificationEnded', 4], ['Linked', 4, { to: 'agent_later00000' }]);

  test('end where the later identity can be paid', () => {
    const spans = (later: PayPauses) => unpayableSpans({ muse: linked, later }).filter(({ to }) => to > 0);
    expect(spans(pausesAfter(['Verified', 2]))).toEqual([]);
    expect(spans(pausesAfter(['Verified', 6]))).toEqual([{ from: day(4), to: day(6) }]);
  });

  test('are also the suspensions of the later identity since the link', () => {
    const later = pausesAfter(['Suspended', 1], ['Reinstated', 2], ['Suspended', 5]);
    expect(suspendedSpans({ muse: linked, later })).toEqual([{ from: day(5), to: Infinity }]);
  });

  test('keep the newest twenty', () => {
    const changes = Array.from({ length: 60 }, (_each, at) => [at % 2 ? 'Reinstated' : 'Suspended', at] as const);
    expect(pausesAfter(...changes).suspended).toHaveLength(20);
  });
});
