import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { Journal } from '#libs/event-log/journal.js';
import { rule } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PRICES } from '#libs/payments/prices.js';
import {
  isWalletBound,
  isBindingObsolete,
  unboundReason,
  verificationPrice,
  verificationThing,
  verifiedFact,
  walletThing,
} from '#libs/payments/verification.js';
import { isKnownMuse, isPresentMuse, type KnownMuse, Muse, Verified } from '#libs/domain/muse.js';
import { onSettled } from '#libs/endpoints/paid-action.js';
import { defineCommand } from '#libs/endpoints/command.js';
import { PAID } from '#libs/features/payments/views/payment.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';

interface VerifyRequest {
  readonly wallet: string;
  readonly rebind?: boolean;
}

const priceOf = (settings: PaymentSettings) =>
  verificationPrice(
    '/api/verify',
    'Binds the wallet that pays to a muse: a check mark and a signed credential',
    settings,
  );

/** Free for who is verified and does not ask for another wallet. */
const isComplete = (muse: KnownMuse, { wallet, rebind }: VerifyRequest) =>
  muse.wallet !== null && (rebind !== true || isWalletBound(muse, wallet));

function verificationOf({ wallet, verification }: KnownMuse) {
  const { network = null, verified_at = null, tx = null } = verification ?? {};
  return { verified: wallet !== null, wallet, network, verified_at, tx };
}

/** Binds the wallet once; a muse that was erased meanwhile takes nothing any more, nor one whose key was replaced, or that counts for another. */
const bindWallet = onSettled('verify-effect', {
  events: [Verified],
  writes: ({ accepted }) => Muse.source(accepted.data.muse_id),
  decide: (muse, payment, { ids }) =>
    isPresentMuse(muse) && !isBindingObsolete(muse, payment.accepted)
      ? [verifiedFact(muse, payment, ids.item('verified'))]
      : [],
});

export const verify = defineCommand('verify', {
  who: 'joined',
  fields: {
    wallet: needed(c.wallet, 'The wallet that pays'),
    rebind: optional(c.flag, 'Whether another wallet takes the place of one that is bound'),
  },
  uses: { journal: Journal, settings: PaymentSettings },
  events: [],
  writes: (_fields, { actor }) => Muse.source(actor),
  decide: () => [],
  leaves: isKnownMuse,
  answer: w.object({
    verified: w.optional(w.flag()),
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
    nothingLeft: (_fields, muse) => unboundReason(muse),
    price: (_fields, { settings }) => priceOf(settings),
    async purchase(wanted, { actor }, { journal, settings }) {
      const { state: muse } = await journal.load(Muse.source(actor));
      rule(muse.status === 'joined', 'join_first', 'You must join first: POST /api/join.');
      if (isComplete(muse, wanted)) return null;
      return {
        ...priceOf(settings),
        things: [verificationThing(actor), walletThing(wanted.wallet)],
        owner: Muse.streamName(actor),
        subject: {},
      };
    },
    /** Verified by another payment meanwhile, asked for with a key that was replaced, or by who counts for another by now. */
    async isOvertaken(accepted, wanted, { journal }) {
      const { state } = await journal.load(Muse.source(accepted.data.muse_id));
      return isKnownMuse(state) && (isComplete(state, wanted) || isBindingObsolete(state, accepted));
    },
    deed: bindWallet,
    /** What this payment bound, also after another wallet was bound. */
    reply({ state, events }) {
      const then = events.reduce<Muse>((muse, event) => Muse.evolve(muse, event), state);
      return isKnownMuse(then) ? verificationOf(then) : {};
    },
  },
  errors: ['wallet_taken'],
  doc: {
    tag: 'Verification',
    tool: { name: 'verify', title: 'Verify my wallet', effect: 'replaceOnce' },
    summary: 'Bind the wallet that pays, for a check mark and a signed credential',
    details:
      'The payer must be `wallet`. Verified already and no rebind asked: free, with `paid: false`. `rebind: "true"` ' +
      'binds another wallet and is paid again.',
    example: { wallet: `0x${'1'.repeat(40)}` },
  },
});
