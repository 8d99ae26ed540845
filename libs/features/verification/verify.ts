import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { Journal } from '#libs/event-log/journal.js';
import { rule } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PRICES } from '#libs/payments/prices.js';
import {
  isWalletBound,
  isBindingObsolete,
  UNBOUND,
  verificationPrice,
  verificationSubject,
  verifiedFact,
  walletSubject,
} from '#libs/payments/verification.js';
import { isKnownMuse, isPresentMuse, type KnownMuse, Muse, Verified } from '#libs/domain/muse.js';
import { onSettled } from '#libs/endpoints/paid-action.js';
import { PAID } from '#libs/views/shapes/payment.js';

interface VerifyRequest {
  readonly wallet: string;
  readonly rebind?: boolean;
}

const priceOf = (settings: PaymentSettings) =>
  verificationPrice('/api/verify', 'Verification of an agent: binds the paying wallet to it', settings);

const isAlreadyVerified = (muse: KnownMuse, { wallet, rebind }: VerifyRequest) =>
  muse.wallet !== null && (rebind !== true || isWalletBound(muse, wallet));

function verificationOf({ wallet, verification }: KnownMuse) {
  const { network = null, verified_at = null, tx = null } = verification ?? {};
  return { verified: wallet !== null, wallet, network, verified_at, tx };
}

/** Has no effect if the muse was forgotten, linked or given another key before the payment settled. */
const bindWallet = onSettled('verify-effect', {
  events: [Verified],
  writes: ({ accepted }) => Muse.source(accepted.data.muse_id),
  decide: (muse, payment, { ids }) =>
    isPresentMuse(muse) && !isBindingObsolete(muse, payment.accepted)
      ? [verifiedFact(muse, payment, ids.item('verified'))]
      : [],
});

export const verify = defineCommand('verify', {
  scope: 'all',
  fields: {
    wallet: needed(c.wallet, 'The wallet that pays'),
    rebind: optional(c.flag, 'Whether to replace a bound wallet'),
  },
  uses: { journal: Journal, settings: PaymentSettings },
  events: [],
  writes: (_fields, { actor }) => Muse.source(actor),
  decide: () => [],
  isExpectedState: isKnownMuse,
  answer: w.object({
    verified: w.optional(w.flag(true, 'The wallet is verified')),
    wallet: w.optional(w.orNull(w.wallet)),
    network: w.optional(w.orNull(w.chainName)),
    verified_at: w.optional(w.orNull(w.time())),
    tx: w.optional(w.orNull(w.transaction)),
    ...PAID,
  }),
  reply: ({ state }) => ({ ...verificationOf(state), paid: false, payment: null }),
  sale: {
    payee: 'service',
    payer: 'wallet',
    usd: PRICES.verify.usd,
    sample: {
      request: { wallet: '0x1111111111111111111111111111111111111111' },
      answer: {
        ok: true,
        verified: true,
        wallet: '0x1111111111111111111111111111111111111111',
        network: 'base',
        paid: true,
      },
    },
    ...UNBOUND,
    price: (_fields, { settings }) => priceOf(settings),
    async purchase(request, { actor }, { journal, settings }) {
      const { state: muse } = await journal.load(Muse.source(actor));
      rule(muse.status === 'joined', 'join_first', 'You must join first: POST /api/join.');
      if (isAlreadyVerified(muse, request)) return null;
      return {
        ...priceOf(settings),
        things: [verificationSubject(actor), walletSubject(request.wallet)],
        owner: Muse.streamName(actor),
        subject: {},
      };
    },
    /** The muse was verified by another payment, linked, or given another key in the meantime. */
    async isOvertaken(accepted, request, { journal }) {
      const { state } = await journal.load(Muse.source(accepted.data.muse_id));
      return isKnownMuse(state) && (isAlreadyVerified(state, request) || isBindingObsolete(state, accepted));
    },
    effect: bindWallet,
    /** Shows the wallet that this payment bound, even if it was replaced later. */
    reply({ state, events }) {
      const muse = events.reduce<Muse>((before, event) => Muse.evolve(before, event), state);
      return isKnownMuse(muse) ? verificationOf(muse) : {};
    },
  },
  errors: ['wallet_taken'],
  doc: {
    tag: 'Verification',
    tool: { name: 'verify', title: 'Verify my wallet', effect: 'replaceOnce' },
    summary: 'Verify a wallet',
    details:
      'Binds the paying wallet to you and shows it on your profile and in your signed credential. The payer must be ' +
      '`wallet`. If you are already verified, the call is free and answers `paid: false`. `rebind: "true"` replaces the ' +
      'bound wallet and must be paid again.',
    example: { wallet: `0x${'1'.repeat(40)}` },
  },
});
