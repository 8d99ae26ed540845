import { Forgotten, ProfileUpdated, Registered, VerificationEnded, Verified } from '#libs/domain/muse.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { LISTING, listingSteps, notYetListed } from './listing.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

export const PersonDocument = d.object({
  muse_id: d.museId,
  ...LISTING,
  skills: d.skills,
  open: d.flag,
  /** Log position of the first verification. */
  verified: d.orNull(d.position),
  /** Wages in all tokens, in smallest units, as a `sortableAmount`. */
  earned: d.text,
  endorsed: d.integer,
  connections: d.integer,
});
export type PersonDocument = d.DocumentOf<typeof PersonDocument>;

/** More digits than any amount of a token has. */
const DIGITS = 30;

/** Text that sorts like the non-negative amount. */
export const sortableAmount = (amount: bigint) => String(amount).padStart(DIGITS, '0');

/** Sort and filter keys of people lists. Later features add the steps that count. */
export const People = defineProjection('people', PersonDocument, {
  shape: '0faabb13',
  indexes: {
    new: ['listed?', 'since'],
    verified: ['listed?', 'verified', 'since'],
    earned: ['listed?', 'earned', 'since'],
    endorsed: ['listed?', 'endorsed', 'since'],
    connections: ['listed?', 'connections', 'since'],
    earnedOfLinked: ['linked?', 'earned'],
    endorsedOfLinked: ['linked?', 'endorsed'],
    bySkill: ['listed?', 'skills[]', 'open', 'since'],
    verifiedOfSkill: ['listed?', 'skills[]', 'verified', 'since'],
    earnedOfSkill: ['listed?', 'skills[]', 'earned', 'since'],
    endorsedOfSkill: ['listed?', 'skills[]', 'endorsed', 'since'],
    connectionsOfSkill: ['listed?', 'skills[]', 'connections', 'since'],
  },
  steps: [
    on(
      Registered,
      ({ data }) => (data.muse_id === SYSTEM_ACCOUNT_ID ? [] : [data.muse_id]),
      (_person, { data: { muse_id, skills, open_to_work }, position }) => ({
        muse_id,
        ...notYetListed(position),
        skills: skills ?? [],
        open: open_to_work ?? false,
        verified: null,
        earned: sortableAmount(0n),
        endorsed: 0,
        connections: 0,
      }),
    ),
    ...listingSteps<PersonDocument>(),
    onExisting(ProfileUpdated, by('muse_id'), (person, { data: { skills, open_to_work } }) => ({
      ...person,
      skills: skills === undefined ? person.skills : (skills ?? []),
      open: open_to_work ?? person.open,
    })),
    onExisting(Verified, by('muse_id'), (person, { position }) => ({
      ...person,
      verified: person.verified ?? position,
    })),
    onExisting(VerificationEnded, by('muse_id'), person => ({ ...person, verified: null })),
    // The totals of a linked identity still count for the other muse.
    on<PersonDocument, typeof Forgotten>(Forgotten, by('muse_id'), person =>
      person?.linked ? { ...person, skills: [], open: false } : null,
    ),
  ],
});
