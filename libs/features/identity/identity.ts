import { needed, valuesOf } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { nameThings, type PaidThing } from '#libs/claims/claim-streams.js';
import { Claims } from '#libs/claims/claims.js';
import { checkName } from '#libs/claims/names.js';
import { Journal } from '#libs/event-log/journal.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { rule } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PRICES } from '#libs/payments/prices.js';
import type { Settled } from '#libs/payments/purchase.js';
import {
  isTooLate,
  nothingToBind,
  verificationPrice,
  verificationThing,
  verified,
  walletThing,
} from '#libs/payments/verification.js';
import { isKnown, isPresent, Joined, type KnownMuse, Muse, Registered, Verified } from '#libs/domain/muse.js';
import { shown } from '#libs/endpoints/decision.js';
import { deed } from '#libs/endpoints/sale.js';
import { assertPresent } from '#libs/endpoints/muse-rules.js';
import { verb } from '#libs/endpoints/verb.js';
import { PAID } from '#libs/features/payments/views/payment.shape.js';
import * as w from '#libs/views/shapes/words.js';
import { IdentitySettings } from './identity.settings.js';
import { issuedEmail } from './issued-email.js';
import { NEW_KEY_FIELDS, newIdentity, type NewKeyHolder } from './new-identity.js';
import { referredBy, referrerOf } from './referrer.js';

const EXAMPLE = {
  public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  name: 'Translator',
  headline: 'Translates pages',
  wallet: `0x${'1'.repeat(40)}`,
};

/** What the deeds need to know of the identity that was decided on before the payment. */
interface Subject extends NewKeyHolder {
  readonly created: boolean;
}

const subjectOf = ({ accepted }: Settled) => shown(accepted.data.subject) as unknown as Subject;
const fieldsOf = ({ accepted }: Settled) => valuesOf(NEW_KEY_FIELDS, shown(accepted.data.fields));

const priceOf = (settings: PaymentSettings) =>
  verificationPrice('/api/identity', 'Registers a key as an agent, joins it and verifies its wallet', settings);

const keyThing = (publicKey: string): PaidThing => ({ kind: 'key', value: publicKey });

/** Registers where nobody has: for a registration of the same key is the same request. */
const begin = deed('identity-effect', {
  events: [Registered, Joined],
  requestKey: payment => `key/${fieldsOf(payment).public_key}`,
  writes: payment => Muse.of(subjectOf(payment).museId),
  decide(muse, payment, { ids }) {
    if (isKnown(muse)) return [];
    const holder = subjectOf(payment);
    return [newIdentity(fieldsOf(payment), holder), joined(holder, ids.item('joined'))];
  },
});

/** Joins who only registered, and binds the wallet that paid, unless the key was replaced meanwhile or it counts for another. */
const bindWallet = deed('identity-wallet-effect', {
  events: [Joined, Verified],
  writes: payment => Muse.of(subjectOf(payment).museId),
  decide(muse, payment, { ids }) {
    if (!isPresent(muse) || isTooLate(muse, payment.accepted)) return [];
    const binding = verified(muse, payment, ids.item('verified'));
    return muse.status === 'joined' ? [binding] : [joined(subjectOf(payment), ids.item('joined')), binding];
  },
});

const joined = ({ museId, referredBy }: NewKeyHolder, item: number) =>
  Joined({ muse_id: museId, item, referred_by: referredBy });

/** Nothing is left to be bought. */
const isDone = ({ status, wallet }: KnownMuse) => status === 'joined' && wallet !== null;

export const identity = verb('identity', {
  who: 'newKey',
  fields: { ...NEW_KEY_FIELDS, wallet: needed(c.wallet, 'The wallet that pays') },
  uses: { journal: Journal, claims: Claims, settings: PaymentSettings, identity: IdentitySettings },
  events: [],
  actor: ({ public_key }, ids) => ids.agent(public_key),
  async isTaken({ public_key }, { actor }, { journal }) {
    const { state: muse } = await journal.load(Muse.of(actor));
    return isKnown(muse) && muse.public_key !== public_key;
  },
  writes: (_fields, { actor }) => Muse.of(actor),
  decide: () => [],
  leaves: isKnown,
  answer: w.object({
    muse_id: w.optional(w.museId),
    created: w.optional(w.flag()),
    verified: w.optional(w.flag()),
    wallet: w.optional(w.orNull(w.wallet)),
    ...PAID,
  }),
  reply: ({ state: { muse_id, wallet } }) => ({
    muse_id,
    created: false,
    verified: true,
    wallet,
    paid: false,
    payment: null,
  }),
  sale: {
    payee: 'service',
    payer: 'wallet',
    usd: PRICES.identity.usd,
    sample: {
      request: EXAMPLE,
      answer: { ok: true, muse_id: 'agent_1a2b3c4d5e', created: true, verified: true, paid: true },
    },
    price: (_fields, { settings }) => priceOf(settings),
    async purchase(fields, context, { journal, claims, settings, identity }) {
      const { public_key, name, wallet } = fields;
      const { actor } = context;
      const { state: muse } = await journal.load(Muse.of(actor));
      if (isKnown(muse)) assertPresent(muse);
      if (isKnown(muse) && isDone(muse)) return null;
      const bought: PaidThing = { kind: 'purchase', value: `identity/${public_key}` };
      if (!isKnown(muse)) await checkNew(claims, fields, bought, context);
      const referrer = referrerOf(fields.referred_by, actor);
      const subject: Subject = {
        museId: actor,
        email: issuedEmail(name, actor, identity.mailDomain),
        referredBy: isKnown(muse) ? muse.referred_by : referredBy(referrer && (await journal.load(referrer)).state),
        created: !isKnown(muse),
      };
      return {
        ...priceOf(settings),
        things: [
          bought,
          ...(isKnown(muse) ? [verificationThing(actor)] : [keyThing(public_key), ...nameThings(name)]),
          walletThing(wallet),
        ],
        owner: Muse.named(actor),
        subject: { ...subject },
      };
    },
    /** Joined and verified by other payments meanwhile. */
    async isOvertaken(accepted, _fields, { journal }) {
      const { state: muse } = await journal.load(Muse.of(accepted.data.muse_id));
      return isKnown(muse) && (isDone(muse) || isTooLate(muse, accepted));
    },
    isVoid: ({ accepted }) => (accepted.data.subject === null ? 'forgotten' : null),
    first: begin,
    nothingLeft: (_fields, muse) => nothingToBind(muse),
    deed: bindWallet,
    /** What this payment made, also after another wallet was bound. */
    reply({ payment }) {
      const { museId, created } = subjectOf(payment);
      return { muse_id: museId, created, verified: true, wallet: payment.accepted.data.payer };
    },
  },
  errors: ['name_taken', 'key_taken', 'wallet_taken'],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Register a key, join and verify in one paid step',
    details:
      'Signed by the new key itself, and paid from `wallet`. Everything that registering checks is checked before the ' +
      '402. A key that is registered already is verified, with `created: false`.',
    example: EXAMPLE,
  },
});

/** Its own payment that is under way holds key and name already; that it is so is told as `settlement_pending`. */
async function checkNew(
  claims: Claims,
  { public_key, name }: { readonly public_key: string; readonly name: string },
  bought: PaidThing,
  context: CommandContext,
): Promise<void> {
  const { actor } = context;
  if ((await claims.standing(bought, null)) !== null) return;
  const taken = (await claims.standing(keyThing(public_key), Muse.named(actor))) !== null;
  rule(!taken, 'key_taken', 'public_key belongs to another muse, or did before.', { field: 'public_key' });
  await checkName(claims, name, actor, context);
}
