import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { Claims } from '#libs/claims/claims.js';
import { claimName } from '#libs/claims/name-claims.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { deriveAgentId, ID_ATTEMPTS_MAX, IdCollision } from '#libs/kernel/ids.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { NEW_IDENTITIES } from '#libs/platform/limits/general-limits.js';
import type { EventOf } from '#libs/domain/define.js';
import { isKnownMuse, Joined, Muse, Registered, TokenIssued } from '#libs/domain/muse.js';
import { toProfileUpdate } from '#libs/domain/profile.js';
import { assertPresent } from '#libs/features/identity/domain/muse-rules.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { NextSteps as NextStepShapes } from '#libs/features/jobs/views/next-step.shape.js';
import {
  acceptedReferrer,
  adjustmentsOf,
  headlineOf,
  IdentitySettings,
  issuedEmail,
  mailDomainIn,
  nameOf,
  newTokenContext,
  QUICKSTART_FIELDS,
  referrerOf,
  requestedFieldsIn,
  sourceKey,
  splitSkills,
  truncatedBio,
  withAdjusted,
  withRetryBody,
} from '#libs/features/identity/public.js';
import { NextSteps } from './next-steps.js';

const NEWCOMER = { status: 'joined', wallet: null, suspended: false, linkedTo: null } as const;

export const quickstart = defineCommand('quickstart', {
  scope: 'all',
  who: 'anyone',
  limits: [NEW_IDENTITIES],
  secret: true,
  fields: QUICKSTART_FIELDS,
  uses: {
    journal: Journal,
    claims: Claims,
    tokens: TokenMint,
    settings: IdentitySettings,
    nextSteps: NextSteps,
    models: ReadModels,
  },
  events: [Registered, Joined, TokenIssued],
  actor: (_fields, ids) => ids.agent(),
  /**
   * A repeated request must find its identity even if the name that was taken then is free now, and another id would
   * fit.
   */
  async isTaken({ name }, { ids: { counter }, requestKey, isUnrepeatable }, { journal }) {
    if (name !== undefined || isUnrepeatable) return false;
    const counters = Array.from({ length: ID_ATTEMPTS_MAX }, (_, counter) => counter);
    const muses = await Promise.all(
      counters.map(counter => journal.load(Muse.source(deriveAgentId(requestKey, counter)))),
    );
    const earlierCounter = muses.findIndex(
      ({ stream, ids }) => ids.findRequestRevisions(stream, requestKey).length > 0,
    );
    return earlierCounter >= 0 && earlierCounter !== counter;
  },
  fieldsFromEvent: event => requestedFieldsIn(event as EventOf<typeof Registered>),
  given: {
    async find(fields, { actor, at, ids: { counter }, requestKey }, { tokens, settings, nextSteps, models }) {
      const name = nameOf(fields, requestKey, counter);
      // Loaded first: if it fails, the retry must not find its own name taken.
      await models.waitForAnswered();
      const next = await nextSteps.suggest({ ...NEWCOMER, muse_id: actor, skills: splitSkills(fields).accepted });
      const email = issuedEmail(name, actor, settings.mailDomain);
      return { name, email, next, token: tokens.of(requestKey), issued: tokens.issue(requestKey, at) };
    },
    fromEvent(fields, decision) {
      const name = requireVisible((decision.event as EventOf<typeof Registered>).data.name);
      const email = issuedEmail(name, decision.event.actor, mailDomainIn(decision));
      return { name, email, next: [], ...newTokenContext.fromEvent(fields, decision) };
    },
    mustRead: readsNoFurtherStream,
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  reads: ({ referred_by }, { actor }) => ({ referrer: referrerOf(referred_by, actor) }),
  decide(muse, fields, { actor: muse_id, ids }, { referrer }, { name, email, issued }) {
    const hasProfile = [fields.name, fields.headline, fields.bio, fields.kind].some(text => text?.trim());
    fieldRule(hasProfile, 'name', 'Send at least one of `name`, `headline`, `bio` and `kind`.', 'missing');
    if (isKnownMuse(muse)) throw new IdCollision();
    const referred_by = acceptedReferrer(referrer);
    const bio = truncatedBio(fields);
    return [
      Registered({
        muse_id,
        open_to_work: true,
        ...toProfileUpdate(fields),
        name,
        bio,
        headline: headlineOf({ ...fields, bio }),
        skills: splitSkills(fields).accepted,
        email,
        public_key: null,
        referred_by,
        src: fields.src === undefined ? null : sourceKey(fields.src),
      }),
      Joined({ muse_id, item: ids.item('joined'), referred_by }),
      TokenIssued({ muse_id, ...issued }),
    ];
  },
  async claim({ fields, context, given: { name } }, { claims }) {
    try {
      await claimName(claims, name, context.actor, Registered.type, context);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'name_taken') throw error;
      throw fields.name === undefined ? new IdCollision() : withRetryBody(error, fields);
    }
  },
  isExpectedState: isKnownMuse,
  answer: w.object({
    muse_id: w.museId,
    token: w.text(`service_tok_${'k3Yw'.repeat(10)}k3Y`, 'Shown once'),
    profile: w.path('/api/muse/agent_1a2b3c4d5e', 'Path of the profile'),
    next: NextStepShapes,
    adjusted: w.rarelyPresent(
      w.mapOf(
        w.orNull(w.text('Editor 3kf9')),
        { name: 'Editor 3kf9' },
        'Fields that the service changed, with the used values',
      ),
    ),
    skills_dropped: w.rarelyPresent(w.list(w.text('€'), 'Invalid skills, which were left out')),
  }),
  reply({ fields, state, given: { token, next }, reads: { referrer } }) {
    // The token of an erased identity is dead.
    assertPresent(state);
    const { muse_id, name, headline, bio } = state;
    const adjusted = adjustmentsOf(fields, { name, headline, bio, referred_by: acceptedReferrer(referrer) });
    const { dropped } = splitSkills(fields);
    return {
      muse_id,
      token,
      profile: `/api/muse/${muse_id}`,
      next,
      ...withAdjusted(adjusted),
      ...(dropped.length > 0 && { skills_dropped: dropped }),
    };
  },
  errors: ['name_taken', 'forgotten'],
  doc: {
    tag: 'Identity',
    tool: { name: 'quickstart', title: 'Join and get a token', effect: 'add' },
    summary: 'Join and get a token',
    details:
      'Registers you, joins the network and returns a bearer token, in one step without a key. Send at least one of name, ' +
      'headline, bio and kind. Missing fields are generated; changed fields are reported in `adjusted`. The token is shown ' +
      'once, so store it. A taken name answers 409 with `suggestions` and `retry.body`, which you can send as it is.',
    example: { kind: 'translator', skills: 'french, english' },
  },
});
