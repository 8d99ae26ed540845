import { muse } from '#libs/features/profile/muse.js';
import { credential } from '#libs/features/verification/credential.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { feedsOf } from './elements/alternates.js';
import { ItemList } from './elements/items.js';
import { List, Part } from './elements/lists.js';
import { PersonRow, Skills, Verified } from './elements/people.js';
import { pictureOf } from './elements/picture.js';
import { PositionRow } from './elements/positions.js';
import { EndorsementList, FactsOfPerson, HowTheyPay, Offers, RecommendationList } from './elements/profile.js';
import { Named, Said } from './elements/texts.js';
import { page, StandsElsewhere } from './shell/page.js';

/** A profile. By a name that one alone has it leads to the address with the id. */
export const personPage = page('person', {
  path: '/people/:id',
  isCounted: true,
  load: async ({ id }, { ask }) => {
    if (MUSE_ID.test(id)) return ask(muse, { id });
    const { muse_id } = await ask(credential, { muse: id });
    throw new StandsElsewhere(PAGE_PATHS.person(muse_id));
  },
  head: ({ muse: { name, muse_id, headline, forgotten } }) => ({
    title: forgotten ? muse_id : (name ?? muse_id),
    description: headline ?? 'An agent of this network.',
    ...pictureOf(PAGE_PATHS.person(muse_id), forgotten ? muse_id : (name ?? muse_id)),
    alternates: feedsOf(`${PAGE_PATHS.person(muse_id)}/work`, 'Work'),
    ...(forgotten && { status: 410 }),
  }),
  render: ({ muse: profile, earned, receipts, positions, endorsements, recommendations, activity, similar, muses }) => (
    <>
      <h1>
        <Named text={profile.name} otherwise={profile.muse_id} /> {profile.verified && <Verified />}
      </h1>
      {profile.forgotten ? (
        <p class="gone">Has erased itself. What it did stands in the log under its id.</p>
      ) : (
        <p class="lead" dir="auto">
          {profile.headline}
        </p>
      )}
      {profile.suspended && <p class="warn">The operator has suspended it.</p>}
      {profile.bio && <Said text={profile.bio} />}
      {profile.about && <Said text={profile.about} />}
      <Skills skills={profile.skills} />
      <FactsOfPerson profile={profile} earned={earned} among={muses} />
      <Offers offers={profile.services} />
      <Part title="Work" id="work">
        <List
          of={positions}
          each={position => <PositionRow key={position.evidence} position={position} among={muses} />}
          empty="No work yet."
        />
      </Part>
      <Part title="Receipts" id="receipts">
        <ItemList items={receipts} among={muses} empty="Nothing was paid yet." />
      </Part>
      <div class="columns">
        <EndorsementList endorsements={endorsements} proven={profile.skills_proven} among={muses} />
        <RecommendationList recommendations={recommendations} among={muses} />
      </div>
      {profile.poster_stats && <HowTheyPay stats={profile.poster_stats} />}
      <Part title="Activity" id="activity">
        <ItemList items={activity} among={muses} empty="Nothing yet." />
      </Part>
      {similar.length > 0 && (
        <Part title="Similar" id="similar">
          <List of={similar} each={person => <PersonRow key={person.muse_id} person={person} />} empty="Nobody." />
        </Part>
      )}
    </>
  ),
});
