import { defineEvent, defineStream, type EventOf, initially } from './define.js';
import * as f from './event-fields.js';

/** Type of the event that decides where the money of an escrow goes. The first one counts. */
export const ESCROW_DECIDED = 'EscrowDecided';
export const ESCROW_FUNDED = 'EscrowFunded';

const parties = {
  payment: f.common.payment,
  hire: f.clear(f.optional(f.id), 'Id of the hire; absent if it was not made'),
  role: f.clear(f.optional(f.slug), 'Slug of the job; absent if the hire was not made'),
  poster: f.clear(f.orNull(f.museId), 'Agent that posted the job'),
  worker: f.clear(f.optional(f.museId), 'Agent that works; absent if the hire was not made'),
};

const RELEASE_REASONS = ['accepted', 'review_over', 'arbiter', 'undecided', 'operator'] as const;
const RETURN_REASONS = [
  'arbiter',
  'undecided',
  'ended',
  'not_delivered',
  'operator',
  'void',
  'undeliverable',
  'deadline_missed',
  'reclaimed',
] as const;

const end = (reasons: typeof RELEASE_REASONS | typeof RETURN_REASONS) => ({
  ...parties,
  reason: f.clear(f.oneOf(...(reasons as readonly string[])), 'Why, as a code'),
  tx: f.common.tx,
  block: f.common.block,
});

/** Not written for an escrow that is decided or has ended before. */
export const EscrowSecured = defineEvent('EscrowSecured', 'A final block of the chain has the funding of an escrow.', {
  ...parties,
  tx: f.clear(f.transaction, 'Transaction that funded the escrow'),
  block: f.common.block,
  final_block: f.clear(f.integer, 'Newest final block at that time'),
});

/** `raw` is sent again when in doubt. */
export const EscrowSubmitted = defineEvent('EscrowSubmitted', 'The service signed the end of an escrow.', {
  payment: f.common.payment,
  step: f.clear(f.oneOf('capture', 'void'), 'Release to the worker, or return to the poster'),
  reason: f.clear(f.text, 'Why, as a code'),
  tx: f.common.tx,
  relayer: f.clear(f.wallet, 'Account that sends the transaction'),
  relayer_nonce: f.clear(f.integer, 'Nonce of that account'),
  fee: f.clear(f.amount, 'Highest fee per gas of the transaction'),
  raw: f.held(f.text, 'The signed transaction'),
});

/** Repeated if a reorganisation moves it before it is final. */
export const EscrowReleased = defineEvent(
  'EscrowReleased',
  'The chain shows that the money of an escrow went to the worker.',
  end(RELEASE_REASONS),
);

export const EscrowReturned = defineEvent(
  'EscrowReturned',
  'The chain shows that the money of an escrow went back to the poster.',
  end(RETURN_REASONS),
);

/** The contract of the token refuses the transfer, so the service tries again every day. */
export const EscrowStuck = defineEvent('EscrowStuck', 'The money of an escrow cannot be returned for now.', parties);

export const EscrowLost = defineEvent('EscrowLost', 'A reorganisation took back the funding of an escrow.', parties);

export type EscrowSubmission = EventOf<typeof EscrowSubmitted>['data'];
type EscrowEnd = EventOf<typeof EscrowReleased>['data'];

export interface Escrow {
  readonly status: 'open' | 'released' | 'returned' | 'lost';
  readonly submitted: readonly EscrowSubmission[];
  readonly isSecured: boolean;
  readonly isStuck: boolean;
  readonly end: Pick<EscrowEnd, 'tx' | 'block' | 'reason'> | null;
}

/** Steps after the funding of an escrow, which is a payment. */
export const Escrow = defineStream('escrow', {
  key: (payment: string) => payment,
  events: [EscrowSecured, EscrowSubmitted, EscrowReleased, EscrowReturned, EscrowStuck, EscrowLost],
  initial: initially<Escrow>({ status: 'open', submitted: [], isSecured: false, isStuck: false, end: null }),
  evolve(state, event): Escrow {
    switch (event.type) {
      case 'EscrowSecured':
        return { ...state, isSecured: true };
      case 'EscrowSubmitted':
        return { ...state, submitted: [...state.submitted, event.data] };
      case 'EscrowReleased':
        return { ...state, status: 'released', end: event.data };
      case 'EscrowReturned':
        return { ...state, status: 'returned', end: event.data };
      case 'EscrowStuck':
        return { ...state, isStuck: true };
      case 'EscrowLost':
        return { ...state, status: 'lost' };
    }
  },
});

/** Reason of `EscrowReleased` or `EscrowReturned`. */
export type EscrowReason = (typeof RELEASE_REASONS)[number] | (typeof RETURN_REASONS)[number];
