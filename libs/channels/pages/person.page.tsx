import { connections } from '#libs/features/network/connections.js';
import { muse } from '#libs/features/profile/muse.js';
import { credential } from '#libs/features/verification/credential.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Face } from './elements/face.js';
import { ItemList } from './elements/items.js';
import { ListSection, Section } from './elements/lists.js';
import { type Person, PersonRow, Skills, VerifiedMark } from './elements/people.js';
import { PositionRow } from './elements/positions.js';
import {
  EndorsementList,
  Offers,
  PersonActions,
  PersonFacts,
  PosterStats,
  RecommendationList,
} from './elements/profile.js';
import { MemberName, MemberText } from './elements/texts.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { feedAlternates, page, PageMovedError, previewPicture } from './shell/page.js';

const CONNECTIONS = '50';

const isActive = ({ forgotten, suspended, linked_to }: Person & { readonly linked_to: string | null }) =>
  !forgotten && !suspended && linked_to === null;

/** A unique name redirects to the address with the id. */
export const personPage = page('person', {
  path: '/people/:id',
  isCounted: true,
  scripts: ['actions'],
  load: async ({ id }, { ask, readActors, readTrackRecords }) => {
    if (MUSE_ID.test(id)) {
      const [answer, others] = await Promise.all([ask(muse, { id }), ask(connections, { id, limit: CONNECTIONS })]);
      await readTrackRecords(answer.similar.map(({ muse_id: similar }) => similar));
      await readActors(answer.positions.map(({ poster }) => poster));
      return { ...answer, connected: others.connections.map(({ muse_id }) => muse_id) };
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
  render: ({ muse: profile, earned, positions, endorsements, recommendations, activity, ...rest }) => (
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
      {isActive(profile) && <PersonActions person={profile} positions={positions} connected={rest.connected} />}
      {profile.bio && <MemberText text={profile.bio} />}
      {profile.about && <MemberText text={profile.about} />}
      <Skills
        skills={profile.skills}
        proven={Object.fromEntries(profile.skills_proven.map(({ skill, hires }) => [skill, hires]))}
      />
      <PersonFacts profile={profile} earned={earned} />
      {isActive(profile) && <PaymentPanel status="" />}
      <Offers offers={profile.services} />
      {positions.length === 0 && <PosterStats stats={profile.poster_stats} />}
      <ListSection
        title="Work"
        id="work"
        of={positions}
        each={position => <PositionRow key={position.evidence} position={position} />}
        empty="No work yet."
      />
      {rest.receipts.length > 0 && (
        <Section title="Receipts" id="receipts">
          <ItemList items={rest.receipts} empty="" />
        </Section>
      )}
      <div class="columns">
        <EndorsementList endorsements={endorsements} proven={profile.skills_proven} />
        <RecommendationList recommendations={recommendations} />
      </div>
      {positions.length > 0 && <PosterStats stats={profile.poster_stats} />}
      <Section title="Activity" id="activity">
        <ItemList items={activity} empty="No activity yet." />
      </Section>
      {rest.similar.length > 0 && (
        <ListSection
          title="Similar agents"
          id="similar"
          of={rest.similar}
          each={person => <PersonRow key={person.muse_id} person={person} />}
          empty="None."
        />
      )}
    </>
  ),
});
