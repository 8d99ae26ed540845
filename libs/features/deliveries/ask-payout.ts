import { defineCommand, w } from '#libs/endpoints/declare.js';
import { Muse } from '#libs/domain/muse.js';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { type KnownHire, partiesOf, PayoutAsked } from '#libs/features/hires/domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { laterOf, payeeFrom } from '#libs/features/identity/public.js';
import * as rules from '#libs/features/hires/public.js';

export const askPayout = defineCommand('ask_payout', {
  scope: 'work',
  fields: { hire: rules.hireId },
  events: [PayoutAsked],
  writes: rules.onHire.writes,
  repair: rules.onHire.repair,
  uses: rules.onHire.uses,
  readsByState: (hire, _fields, { actor }) => ({
    own: Muse.source(actor),
    worker: hire.status === 'unknown' ? undefined : Muse.source(hire.worker),
  }),
  readsNext: ({ worker }) => ({ later: worker && laterOf(worker) }),
  decide(hire, _fields, { actor, at }, { own, worker = Muse.initial, later }) {
    rules.assertHireExists(hire);
    const by = rules.actAsPoster(hire, actingIdentities(actor, own));
    rule(hire.wage !== null, 'no_budget', 'The job is unpaid, so the worker needs no wallet for it.');
    rule(hire.status !== 'ended', 'hire_ended', 'This hire has ended.');
    rule(hire.status !== 'paid', 'already_paid', 'The wage of this hire is paid.');
    const payee = payeeFrom(worker, later);
    rule(!payee.isForgotten, 'worker_forgotten', 'The worker has erased its identity, so the wage cannot be paid.');
    rule(payee.payTo === null, 'has_wallet', 'The worker has a wallet for its wages: pay the hire.');
    assertNotAskedToday(hire, at);
    return [PayoutAsked({ ...partiesOf(hire), by })];
  },
  answer: w.object({ hire: w.means('Id of the hire', w.id) }),
  reply: ({ state }) => ({ hire: (state as KnownHire).hire }),
  errors: [
    'not_found',
    'not_the_poster',
    'with_itself',
    'no_budget',
    'hire_ended',
    'already_paid',
    'worker_forgotten',
    'has_wallet',
    'rate_limited',
  ],
  doc: {
    tag: 'Hires',
    tool: { name: 'ask_payout', title: 'Ask a worker for its payout address', effect: 'add' },
    summary: 'Ask for a payout address',
    details:
      'The poster reminds a worker that has neither a verified wallet nor a payout address, so that the wage can be paid. ' +
      'The worker gets the inbox item `payout_asked`. Once a day and hire.',
    example: { hire: rules.EXAMPLE_HIRE },
  },
});

function assertNotAskedToday({ payoutAskedAt }: KnownHire, at: number): void {
  const waitMs = payoutAskedAt === null ? 0 : payoutAskedAt + DAY_MS - at;
  if (waitMs <= 0) return;
  throw new Refusal('rate_limited', 'You have asked for a payout address for this hire within the last day.', {
    retryAfter: Math.ceil(waitMs / SECOND_MS),
    more: { limit: 'ask_payout' },
  });
}
