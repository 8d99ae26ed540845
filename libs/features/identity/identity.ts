import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { listNameSubjects, type PaidClaimSubject } from '#libs/claims/claim-streams.js';
import { Claims } from '#libs/claims/claims.js';
import { assertNameAvailable } from '#libs/claims/name-claims.js';
import { Journal } from '#libs/event-log/journal.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Authorization } from '#libs/kernel/event.js';
import { formatRequestCause } from '#libs/kernel/ids.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PRICES } from '#libs/payments/prices.js';
import type { SettledPaymentState } from '#libs/payments/purchase.js';
import {
  isBindingObsolete,
  UNBOUND,
  verificationPrice,
  verificationSubject,
  verifiedFact,
  walletSubject,
} from '#libs/payments/verification.js';
import { isKnownMuse, isPresentMuse, Joined, type KnownMuse, Muse, Registered, Verified } from '#libs/domain/muse.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { onSettled } from '#libs/endpoints/paid-action.js';
import { assertPresent } from './domain/muse-rules.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { IdentitySettings, issuedEmail, mailDomainOf } from './issued-email.js';
import {
  ADJUSTED,
  assertKeyFree,
  isKeyReplaced,
  keptValues,
  NEW_KEY_FIELDS,
  newIdentity,
  withAdjusted,
  type IssuedIdentity,
} from './new-identity.js';
import { acceptedReferrer, referrerOf } from './referrer.js';

const EXAMPLE = {
  public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  name: 'Translator',
  headline: 'Translates pages',
  wallet: `0x${'1'.repeat(40)}`,
};

interface PaidIdentity extends IssuedIdentity {
  readonly created: boolean;
}

const subjectOf = ({ accepted }: SettledPaymentState) =>
  requireVisible(accepted.data.subject) as unknown as PaidIdentity;
const fieldsOf = ({ accepted }: SettledPaymentState) =>
  parseFieldValues(NEW_KEY_FIELDS, requireVisible(accepted.data.fields));

const priceOf = (settings: PaymentSettings) =>
  verificationPrice(
    '/api/identity',
    'Registers a key as an agent, joins the network and verifies the wallet',
    settings,
  );

const keyClaim = (publicKey: string): PaidClaimSubject => ({ kind: 'key', value: publicKey });

function signingKeyOf(authorization: Authorization): string {
  if (authorization.mode !== 'signature') throw new Error('A new identity signs its request.');
  return authorization.public_key;
}

/** A registration of the same key has the same ids, so only one of them registers. */
const createIdentity = onSettled('identity-effect', {
  events: [Registered, Joined],
  eventKey: ({ authorization }) => formatRequestCause(`key/${signingKeyOf(authorization)}`),
  writes: payment => Muse.source(subjectOf(payment).museId),
  decide(muse, payment, { ids }) {
    if (isKnownMuse(muse)) return [];
    const holder = subjectOf(payment);
    return [newIdentity(fieldsOf(payment), holder), joinedEvent(holder, ids.item('joined'))];
  },
});

/** Binds no wallet if the key was replaced, or the identity was linked to another one, during the payment. */
const bindWallet = onSettled('identity-wallet-effect', {
  events: [Joined, Verified],
  writes: payment => Muse.source(subjectOf(payment).museId),
  decide(muse, payment, { ids }) {
    if (!isPresentMuse(muse) || isBindingObsolete(muse, payment.accepted)) return [];
    const binding = verifiedFact(muse, payment, ids.item('verified'));
    return muse.status === 'joined' ? [binding] : [joinedEvent(subjectOf(payment), ids.item('joined')), binding];
  },
});

const joinedEvent = ({ museId, referredBy }: IssuedIdentity, item: number) =>
  Joined({ muse_id: museId, item, referred_by: referredBy });

const isComplete = ({ status, wallet }: KnownMuse) => status === 'joined' && wallet !== null;

export const identity = defineCommand('identity', {
  scope: 'all',
  who: 'newKey',
  fields: { ...NEW_KEY_FIELDS, wallet: needed(c.wallet, 'The wallet that pays and gets verified') },
  uses: { journal: Journal, claims: Claims, settings: PaymentSettings, identity: IdentitySettings },
  events: [],
  actor: ({ public_key }, ids) => ids.agent(public_key),
  isTaken: isKeyReplaced,
  writes: (_fields, { actor }) => Muse.source(actor),
  decide: () => [],
  isExpectedState: isKnownMuse,
  answer: w.object({
    muse_id: w.optional(w.museId),
    created: w.optional(w.flag(true, 'False if the key was registered already')),
    verified: w.optional(w.flag(true, 'The wallet is verified')),
    wallet: w.optional(w.orNull(w.wallet)),
    adjusted: ADJUSTED,
    ...PAID,
  }),
  reply: ({ state, fields }) => ({
    muse_id: state.muse_id,
    created: false,
    verified: true,
    wallet: state.wallet,
    ...withAdjusted(keptValues(fields, state)),
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
      const { state: muse } = await journal.load(Muse.source(actor));
      if (isKnownMuse(muse)) assertPresent(muse);
      if (isKnownMuse(muse) && isComplete(muse)) return null;
      const purchase: PaidClaimSubject = { kind: 'purchase', value: `identity/${public_key}` };
      if (!isKnownMuse(muse)) await assertUnclaimed(claims, fields, purchase, context);
      const referrer = referrerOf(fields.referred_by, actor);
      const subject: PaidIdentity = {
        museId: actor,
        email: issuedEmail(name, actor, identity.mailDomain),
        referredBy: isKnownMuse(muse)
          ? muse.referred_by
          : acceptedReferrer(referrer && (await journal.load(referrer)).state),
        created: !isKnownMuse(muse),
      };
      return {
        ...priceOf(settings),
        things: [
          purchase,
          ...(isKnownMuse(muse) ? [verificationSubject(actor)] : [keyClaim(public_key), ...listNameSubjects(name)]),
          walletSubject(wallet),
        ],
        owner: Muse.streamName(actor),
        subject: { ...subject },
      };
    },
    async isOvertaken(accepted, _fields, { journal }) {
      const { state: muse } = await journal.load(Muse.source(accepted.data.muse_id));
      return isKnownMuse(muse) && (isComplete(muse) || isBindingObsolete(muse, accepted));
    },
    subjectOf: (_fields, museId) => ({ museId }),
    usesFrom: ({ email }) => ({ identity: new IdentitySettings(mailDomainOf(email as string)) }),
    requires: 'subject',
    first: createIdentity,
    ...UNBOUND,
    effect: bindWallet,
    /** Describes the result of this payment, even if another wallet was bound later. */
    reply({ payment, state }, fields) {
      const { museId, created } = subjectOf(payment);
      const adjusted = created || !isKnownMuse(state) ? {} : keptValues(fields, state);
      return {
        muse_id: museId,
        created,
        verified: true,
        wallet: payment.accepted.data.payer,
        ...withAdjusted(adjusted),
      };
    },
  },
  errors: ['name_taken', 'key_taken', 'wallet_taken'],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Create a verified identity',
    details:
      'Registers a key, joins the network and verifies the wallet in one paid step. Sign with the new key and pay from ' +
      '`wallet`. The fields are checked before the 402. If the key is already registered, its identity is verified and ' +
      '`created` is false; `adjusted` names the name and headline that it keeps if you sent others.',
    example: EXAMPLE,
  },
});

/** An open payment of the same request already holds key and name; the caller gets `settlement_pending` then. */
async function assertUnclaimed(
  claims: Claims,
  { public_key, name }: { readonly public_key: string; readonly name: string },
  purchase: PaidClaimSubject,
  context: CommandContext,
): Promise<void> {
  const { actor } = context;
  if ((await claims.findValid(purchase, null)) !== null) return;
  const isTaken = (await claims.findValid(keyClaim(public_key), Muse.streamName(actor))) !== null;
  assertKeyFree(!isTaken);
  await assertNameAvailable(claims, name, actor, context);
}
