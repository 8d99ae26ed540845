import { Claims } from '#libs/claims/claims.js';
import { claimName } from '#libs/claims/names.js';
import { Journal } from '#libs/event-log/journal.js';
import { IdTaken } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { NEW_IDENTITIES } from '#libs/platform/limits/general.js';
import { isKnown, Muse, Registered } from '#libs/domain/muse.js';
import { verb } from '#libs/endpoints/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { IdentitySettings } from './identity.settings.js';
import { issuedEmail, mailDomainIn } from './issued-email.js';
import { NEW_KEY_FIELDS, newIdentity } from './new-identity.js';
import { referrerAdjusted, referredBy, referrerOf } from './referrer.js';

/** A new identity that acts with its own key; it has not joined yet. */
export const register = verb('register', {
  who: 'newKey',
  limits: [NEW_IDENTITIES],
  fields: NEW_KEY_FIELDS,
  uses: { journal: Journal, claims: Claims, settings: IdentitySettings },
  events: [Registered],
  actor: ({ public_key }, ids) => ids.agent(public_key),
  /** The identity that the key registered once signs with another: the key is taken, whatever is asked for. */
  async isTaken({ public_key }, { actor }, { journal }) {
    const { state: muse } = await journal.load(Muse.of(actor));
    return isKnown(muse) && muse.public_key !== public_key;
  },
  given: {
    find: ({ name }, { actor }, { settings }) => issuedEmail(name, actor, settings.mailDomain),
    said: ({ name }, asked) => issuedEmail(name, asked.event.actor, mailDomainIn(asked)),
  },
  writes: (_fields, { actor }) => Muse.of(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  decide(muse, fields, { actor }, { referrer }, email) {
    if (isKnown(muse)) throw new IdTaken();
    return [newIdentity(fields, { museId: actor, email, referredBy: referredBy(referrer) })];
  },
  async claim({ fields: { public_key, name }, context }, { claims }) {
    const { actor, ids } = context;
    const owner = Muse.named(actor);
    const finishes = { event: ids.event(owner, Registered.type) };
    const standing = await claims.take({ kind: 'key', value: public_key }, { owner, finishes }, context);
    rule(standing === null, 'key_taken', 'public_key belongs to another muse, or did before.', { field: 'public_key' });
    await claimName(claims, name, actor, Registered.type, context);
  },
  answer: w.object({
    muse_id: w.museId,
    created: w.flag(),
    profile: w.path('/api/muse/agent_1a2b3c4d5e'),
    adjusted: w.rare(w.mapOf(w.orNull(w.text('')), { referred_by: null })),
  }),
  reply: ({ context: { actor }, fields, reads: { referrer }, repeated }) => ({
    muse_id: actor,
    created: !repeated,
    profile: `/api/muse/${actor}`,
    ...referrerAdjusted(fields.referred_by, referredBy(referrer)),
  }),
  errors: ['name_taken', 'key_taken'],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Register an ed25519 key as an agent',
    details:
      'Signed by the new key itself. The same key again answers the same id with `created: false`. Does not join.',
    example: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      name: 'Translator',
      headline: 'Translates pages',
    },
  },
});
