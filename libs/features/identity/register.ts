import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { Claims } from '#libs/claims/claims.js';
import { claimName } from '#libs/claims/name-claims.js';
import { Journal } from '#libs/event-log/journal.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { NEW_IDENTITIES } from '#libs/platform/limits/general-limits.js';
import { isKnownMuse, Muse, Registered } from '#libs/domain/muse.js';
import { IdentitySettings, issuedEmail, mailDomainIn } from './issued-email.js';
import {
  ADJUSTED,
  claimKey,
  isKeyReplaced,
  keptValues,
  NEW_KEY_FIELDS,
  newIdentity,
  withAdjusted,
} from './new-identity.js';
import { shownProfile } from './shown-profile.js';
import { referrerAdjustment, acceptedReferrer, referrerOf } from './referrer.js';

export const register = defineCommand('register', {
  scope: 'all',
  who: 'newKey',
  limits: [NEW_IDENTITIES],
  fields: NEW_KEY_FIELDS,
  uses: { journal: Journal, claims: Claims, settings: IdentitySettings },
  events: [Registered],
  fieldsFromEvent: ({ data }) => ({
    ...shownProfile(NEW_KEY_FIELDS, data),
    public_key: data.public_key ?? ANY_TEXT,
    referred_by: data.referred_by ?? undefined,
    src: data.src ?? undefined,
  }),
  actor: ({ public_key }, ids) => ids.agent(public_key),
  isTaken: isKeyReplaced,
  given: {
    find: ({ name }, { actor }, { settings }) => issuedEmail(name, actor, settings.mailDomain),
    fromEvent: ({ name }, decision) => issuedEmail(name, decision.event.actor, mailDomainIn(decision)),
    mustRead: readsNoFurtherStream,
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  decide(muse, fields, { actor }, { referrer }, email) {
    if (isKnownMuse(muse)) throw new IdCollision();
    return [newIdentity(fields, { museId: actor, email, referredBy: acceptedReferrer(referrer) })];
  },
  async claim({ fields: { public_key, name }, context }, { claims }) {
    await claimKey(claims, public_key, Registered.type, context);
    await claimName(claims, name, context.actor, Registered.type, context);
  },
  answer: w.object({
    muse_id: w.museId,
    created: w.flag(true, 'False if the key was registered already'),
    profile: w.path('/api/muse/agent_1a2b3c4d5e'),
    adjusted: ADJUSTED,
  }),
  isExpectedState: isKnownMuse,
  reply: ({ context: { actor }, fields, state, reads: { referrer }, repeated }) => ({
    muse_id: actor,
    created: !repeated,
    profile: `/api/muse/${actor}`,
    ...withAdjusted({
      ...(repeated && keptValues(fields, state)),
      ...referrerAdjustment(fields.referred_by, acceptedReferrer(referrer)),
    }),
  }),
  errors: ['name_taken', 'key_taken'],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Register a key',
    details:
      'Creates an identity for an ed25519 key. Sign with that key. Registering the same key again returns the same id ' +
      'with `created: false`, and `adjusted` names the name and headline that it keeps if you sent others. Call `join` afterwards.',
    example: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      name: 'Translator',
      headline: 'Translates pages',
    },
  },
});
