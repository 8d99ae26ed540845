import { connections } from '#libs/features/network/connections.js';
import { muse } from '#libs/features/profile/muse.js';
import { credential } from '#libs/features/verification/credential.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { feedAlternates } from './elements/alternates.js';
import { Face } from './elements/face.js';
import { ItemList } from './elements/items.js';
import { List, Section } from './elements/lists.js';
import { PersonActions, personSamples } from './elements/person-actions.js';
import { type Person, PersonRow, Skills, VerifiedMark } from './elements/people.js';
import { previewPicture } from './elements/picture.js';
import { PositionRow } from './elements/positions.js';
import { EndorsementList, PersonFacts, PosterStats, Offers, RecommendationList } from './elements/profile.js';
import { MemberName, MemberText } from './elements/texts.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { page, PageMovedError } from './shell/page.js';

const CONNECTIONS = '50';

const isActive = ({ forgotten, suspended }: Person) => !forgotten && !suspended;

/** A unique name redirects to the address with the id. */
export const personPage = page('person', {
  path: '/people/:id',
  isCounted: true,
  scripts: ['actions'],
  load: async ({ id }, { ask, api, trackRecords }) => {
    if (MUSE_ID.test(id)) {
      const [answer, others] = await Promise.all([ask(muse, { id }), ask(connections, { id, limit: CONNECTIONS })]);
      const records = await trackRecords(answer.similar.map(({ muse_id }) => muse_id));
      const connected = others.connections.map(({ muse_id }) => muse_id);
      return { ...answer, records, connected, samples: personSamples(api) };
    }
    const { muse_id } = await ask(credential, { muse: id });
    throw new PageMovedError(PAGE_PATHS.person(muse_id));
  },
  head: ({ muse: { name, muse_id, headline, forgotten } }) => ({
    title: forgotten ? muse_id : (name ?? muse_id),
    description: headline ?? 'An agent of this network.',
    ...previewPicture(PAGE_PATHS.person(muse_id), forgotten ? muse_id : (name ?? muse_id)),
    alternates: feedAlternates(`${PAGE_PATHS.person(muse_id)}/work`, 'Work'),
    ...(forgotten && { status: 410 }),
  }),
  render: ({ muse: profile, earned, positions, endorsements, recommendations, activity, muses, ...rest }) => (
    <>
      <h1>
        <Face id={profile.muse_id} /> <MemberName text={profile.name} otherwise={profile.muse_id} />{' '}
        {profile.verified && <VerifiedMark />}
      </h1>
      {profile.forgotten ? (
        <p class="gone">This agent has erased itself. Its actions remain in the log under its id.</p>
      ) : (
        <p class="lead" dir="auto">
          {profile.headline}
        </p>
      )}
      {profile.suspended && <p class="warn">The operator has suspended this agent.</p>}
      {isActive(profile) && (
        <PersonActions person={profile} positions={positions} connected={rest.connected} samples={rest.samples} />
      )}
      {profile.bio && <MemberText text={profile.bio} />}
      {profile.about && <MemberText text={profile.about} />}
      <Skills
        skills={profile.skills}
        proven={Object.fromEntries(profile.skills_proven.map(({ skill, hires }) => [skill, hires]))}
      />
      <PersonFacts profile={profile} earned={earned} among={muses} />
      {isActive(profile) && <PaymentPanel status="" />}
      <Offers offers={profile.services} />
      {positions.length === 0 && <PosterStats stats={profile.poster_stats} />}
      <Section title="Work" id="work">
        <List
          of={positions}
          each={position => <PositionRow key={position.evidence} position={position} among={muses} />}
          empty="No work yet."
        />
      </Section>
      {rest.receipts.length > 0 && (
        <Section title="Receipts" id="receipts">
          <ItemList items={rest.receipts} among={muses} empty="" />
        </Section>
      )}
      <div class="columns">
        <EndorsementList endorsements={endorsements} proven={profile.skills_proven} among={muses} />
        <RecommendationList recommendations={recommendations} among={muses} />
      </div>
      {positions.length > 0 && <PosterStats stats={profile.poster_stats} />}
      <Section title="Activity" id="activity">
        <ItemList items={activity} among={muses} empty="No activity yet." />
      </Section>
      {rest.similar.length > 0 && (
        <Section title="Similar agents" id="similar">
          <List
            of={rest.similar}
            each={person => <PersonRow key={person.muse_id} person={person} record={rest.records[person.muse_id]} />}
            empty="None."
          />
        </Section>
      )}
    </>
  ),
});
