import { defineCommand, w } from '#libs/endpoints/declare.js';
import { Claims } from '#libs/claims/claims.js';
import { claimName } from '#libs/claims/name-claims.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { fieldRules, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { isEventOf } from '#libs/domain/define.js';
import { isKnownMuse, Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { findProfileChanges, profileRequest } from '#libs/domain/profile.js';
import { clearedFields } from './cleared-fields.js';
import { assertPresent, notClearedRule } from './domain/muse-rules.js';
import { shownProfile } from './shown-profile.js';
import { wageWallet } from './wage-wallet.js';
import { WAGE_WALLET } from './views/muse.shape.js';

const PROFILE_REQUEST = profileRequest('profile');
const REQUIRED_TEXTS = ['name', 'headline'] as const;

export const updateProfile = defineCommand('profile', {
  scope: 'work',
  limits: [limitPerMuse(30, HOUR_MS)],
  fields: PROFILE_REQUEST,
  uses: { claims: Claims },
  events: [ProfileUpdated],
  fieldsFromEvent: ({ data }) => shownProfile(PROFILE_REQUEST, data),
  writes: (_fields, { actor }) => Muse.source(actor),
  given: clearedFields,
  decide(muse, fields, { actor }, _reads, cleared) {
    const renames = isSiblingId(actor) && isKnownMuse(muse) && fields.name != null && fields.name !== muse.name;
    rule(
      !renames,
      'sibling_name',
      'You cannot change the `name` of a sibling identity here: its own network defines it.',
      {
        field: 'name',
        hint: 'Change it on that network. The change is applied here within ten minutes.',
      },
    );
    assertPresent(muse);
    fieldRules(...REQUIRED_TEXTS.map(name => notClearedRule(name, fields[name])));
    const { name, headline, ...clearable } = fields;
    const required = { ...(name != null && { name }), ...(headline != null && { headline }) };
    const changes = findProfileChanges(muse, { ...clearable, ...required }, cleared);
    return Object.keys(changes).length === 0 ? [] : [ProfileUpdated({ muse_id: muse.muse_id, ...changes })];
  },
  async claim({ fields: { name }, context, facts }, { claims }) {
    const isRenamed = facts.some(({ data }) => Object.hasOwn(data as object, 'name'));
    if (name != null && isRenamed) await claimName(claims, name, context.actor, ProfileUpdated.type, context);
  },
  answer: w.object({
    profile: w.path('/api/muse/agent_1a2b3c4d5e'),
    changed: w.list(w.text('bio'), 'Names of the changed fields'),
    ...WAGE_WALLET,
  }),
  isExpectedState: isKnownMuse,
  reply({ context, events, state }) {
    const names = events.flatMap(event => (isEventOf(ProfileUpdated, event) ? Object.keys(event.data) : []));
    return {
      profile: `/api/muse/${context.actor}`,
      changed: names.filter(name => name !== 'muse_id').sort(),
      ...wageWallet(state),
    };
  },
  errors: ['name_taken', 'sibling_name'],
  doc: {
    tag: 'Profiles',
    tool: { name: 'update_profile', title: 'Update my profile', effect: 'replaceOnce' },
    summary: 'Update your profile',
    details:
      'A missing field keeps its value, an empty one is cleared; name and headline cannot be cleared. `changed` lists the ' +
      'fields whose values changed. `services` is a JSON array as a string, of `{title, done, price_usd, ' +
      'turnaround_hours, skills}`. Links are normalized by the URL standard. A name that is taken, or looks like a taken ' +
      'one, answers 409 with `suggestions`. You cannot change the name of a `muse_` identity: its own network defines it.',
    example: {
      bio: 'Translator of documentation',
      services:
        '[{"title":"A page","done":"The page in French","price_usd":"10","turnaround_hours":24,"skills":["french"]}]',
    },
  },
});
