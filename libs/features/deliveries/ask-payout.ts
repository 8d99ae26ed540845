import { defineCommand, w } from '#libs/endpoints/declare.js';
import { Muse, payoutWalletOf } from '#libs/domain/muse.js';
import { Journal } from '#libs/event-log/journal.js';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Hire, type KnownHire, partiesOf, PayoutAsked } from '#libs/features/hires/domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { payeeOf } from '#libs/features/identity/public.js';
import * as rules from '#libs/features/hires/public.js';

const NO_PAYEE: Pick<Awaited<ReturnType<typeof payeeOf>>, 'payTo' | 'isForgotten'> = {
  payTo: null,
  isForgotten: false,
};

export const askPayout = defineCommand('ask_payout', {
  fields: { hire: rules.hireId },
  events: [PayoutAsked],
  writes: rules.onHire.writes,
  repair: rules.onHire.repair,
  uses: { ...rules.onHire.uses, journal: Journal },
  /** Includes the later identity of the worker. The event says that the worker exists and had no wallet. */
  given: {
    async find({ hire: id }, _context, { journal }) {
      const { state: hire } = await journal.load(Hire.source(id));
      return hire.status === 'unknown' ? NO_PAYEE : payeeOf(journal, hire.worker);
    },
    fromEvent: () => NO_PAYEE,
  },
  readsByState: (hire, _fields, { actor }) => ({
    own: Muse.source(actor),
    worker: hire.status === 'unknown' ? undefined : Muse.source(hire.worker),
  }),
  decide(hire, _fields, { actor, at }, { own, worker }, payee) {
    rules.assertHireExists(hire);
    const by = rules.actAsPoster(hire, actingIdentities(actor, own));
    rule(hire.budget !== null, 'no_budget', 'The job is unpaid, so the worker needs no wallet for it.');
    rule(hire.status !== 'ended', 'hire_ended', 'This hire has ended.');
    rule(hire.status !== 'paid', 'already_paid', 'The wage of this hire is paid.');
    rule(!payee.isForgotten, 'worker_forgotten', 'The worker has erased its identity, so the wage cannot be paid.');
    const wallet = payee.payTo ?? (worker && payoutWalletOf(worker));
    rule(!wallet, 'has_wallet', 'The worker has a wallet for its wages: pay the hire.');
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
