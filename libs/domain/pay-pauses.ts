/** Times in unix ms; `to` is null while it lasts. */
export type Pause = { readonly from: number; readonly to: number | null };

/** Facts of a muse that stop a pay term: a worker without a wage wallet, a suspended poster. A dispute is a fact of the hire. */
export type PayPauses = {
  readonly has_wallet: boolean;
  readonly has_payout_address: boolean;
  readonly unpayable: readonly Pause[];
  readonly suspended: readonly Pause[];
  readonly linked: { readonly to: string; readonly at: number } | null;
};

/** A muse without a wallet, as most begin. */
export const NO_WALLET: PayPauses = {
  has_wallet: false,
  has_payout_address: false,
  unpayable: [{ from: 0, to: null }],
  suspended: [],
  linked: null,
};

/** Newest pauses that count. */
const PAUSES_MAX = 20;

interface MuseEvent {
  readonly type: string;
  readonly at: number;
  readonly data: unknown;
}

const begin = (pauses: readonly Pause[], at: number): readonly Pause[] =>
  pauses.at(-1)?.to === null ? pauses : [...pauses, { from: at, to: null }].slice(-PAUSES_MAX);

const end = (pauses: readonly Pause[], at: number): readonly Pause[] =>
  pauses.map(pause => (pause.to === null ? { ...pause, to: at } : pause));

type Wallets = Partial<Pick<PayPauses, 'has_wallet' | 'has_payout_address'>>;

function withWallets(pauses: PayPauses, change: Wallets, at: number): PayPauses {
  const changed = { ...pauses, ...change };
  const isPayable = changed.has_wallet || changed.has_payout_address;
  return { ...changed, unpayable: (isPayable ? end : begin)(pauses.unpayable, at) };
}

/** The history of wallets is erased with the muse, so that every reader of the log knows the same. */
const forget = (pauses: PayPauses, at: number): PayPauses => ({
  ...pauses,
  has_wallet: false,
  has_payout_address: false,
  unpayable: [{ from: at, to: null }],
  suspended: end(pauses.suspended, at),
});

/** Returns the same pauses if the event changes none. */
export function changePayPauses(pauses: PayPauses, { type, at, data }: MuseEvent): PayPauses {
  switch (type) {
    case 'Registered':
    case 'ProfileUpdated': {
      const { payout_address } = data as { readonly payout_address?: string | null };
      return payout_address === undefined || (type === 'Registered' && payout_address === null)
        ? pauses
        : withWallets(pauses, { has_payout_address: payout_address !== null }, at);
    }
    case 'Verified':
      return withWallets(pauses, { has_wallet: true }, at);
    case 'VerificationEnded':
      return withWallets(pauses, { has_wallet: false }, at);
    case 'Suspended':
      return { ...pauses, suspended: begin(pauses.suspended, at) };
    case 'Reinstated':
      return { ...pauses, suspended: end(pauses.suspended, at) };
    case 'Linked':
      return { ...pauses, linked: { to: (data as { readonly to: string }).to, at } };
    case 'Forgotten':
      return forget(pauses, at);
    default:
      return pauses;
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const spans = (pauses: readonly Pause[]): Span[] => pauses.map(({ from, to }) => ({ from, to: to ?? Infinity }));

const overlap = (some: readonly Span[], others: readonly Span[]): Span[] =>
  some
    .flatMap(one => others.map(other => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })))
    .filter(({ from, to }) => from < to);

/** A muse and the later identity that it is linked to, if any. */
export interface PayParty {
  readonly muse: PayPauses;
  readonly later?: PayPauses | undefined;
}

/** While the worker has no wallet, and since its link neither its later identity. */
export function unpayableSpans({ muse, later }: PayParty): Span[] {
  const own = spans(muse.unpayable);
  if (!muse.linked || !later) return own;
  const before = [{ from: 0, to: muse.linked.at }];
  const after = [{ from: muse.linked.at, to: Infinity }];
  return [...overlap(own, before), ...overlap(overlap(own, spans(later.unpayable)), after)];
}

/** While the poster is suspended, or the later identity that acts for it. */
export function suspendedSpans({ muse, later }: PayParty): Span[] {
  const own = spans(muse.suspended);
  if (!muse.linked || !later) return own;
  return [...own, ...overlap(spans(later.suspended), [{ from: muse.linked.at, to: Infinity }])];
}

interface PausedMuse {
  readonly status: string;
  readonly pauses?: PayPauses;
}

export const pausesOf = (muse: PausedMuse): PayPauses => muse.pauses ?? NO_WALLET;

/** Returns the muse with the pauses after the event; a forgotten muse keeps them. */
export function withPayPauses<M extends PausedMuse>(after: M, before: PausedMuse, event: MuseEvent): M {
  if (after.status === 'unknown' || before.status === 'forgotten') return after;
  const pauses = pausesOf(before);
  const changed = changePayPauses(pauses, event);
  return changed === pauses ? after : { ...after, pauses: changed };
}
