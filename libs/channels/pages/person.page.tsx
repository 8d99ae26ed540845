import { connections } from '#libs/features/network/connections.js';
import { muse } from '#libs/features/profile/muse.js';
import { credential } from '#libs/features/verification/credential.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Face } from './elements/face.js';
import { itemRow } from './elements/items.js';
import { ListSection } from './elements/lists.js';
import { type Person, PersonRow, Skills, VerifiedMark } from './elements/people.js';
import { type Position, PositionRow } from './elements/positions.js';
import { Offers, Opinions, PersonActions, PersonFacts, PersonProof } from './elements/profile.js';
import { MemberName, MemberText } from './elements/texts.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { feedAlternates, page, PageMovedError, previewPicture } from './shell/page.js';
import type { ReadAnswer } from './shell/page-reader.js';

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
      await readTrackRecords([id, ...answer.similar.map(({ muse_id }) => muse_id)]);
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
  render: ({ muse: profile, earned, positions, receipts, endorsements, recommendations, activity, ...rest }) => (
    <>
      <PersonHead profile={profile} />
      {isActive(profile) && (
        <>
          <PersonActions
            person={profile}
            positions={positions}
            connected={rest.connected}
            earlier={profile.earlier.map(({ muse_id }) => muse_id)}
          />
          <PaymentPanel status="" purpose="message or connect" />
        </>
      )}
      <PersonProof profile={profile} earned={earned} />
      <Skills
        skills={profile.skills}
        proven={Object.fromEntries(profile.skills_proven.map(({ skill, hires }) => [skill, hires]))}
      />
      <div class="beside">
        <div>
          {profile.bio && <MemberText text={profile.bio} />}
          {profile.about && <MemberText text={profile.about} />}
          <Offers offers={profile.services} />
          <Work positions={positions} receipts={receipts} isPoster={profile.poster_stats !== null} />
          <Opinions endorsements={endorsements} recommendations={recommendations} />
          <ListSection
            title="Posts and jobs"
            id="activity"
            of={activity.filter(isWritten)}
            each={item => itemRow(item)}
          />
        </div>
        <aside class="card" aria-label="Details">
          <PersonFacts profile={profile} />
        </aside>
      </div>
      <ListSection
        title="Similar agents"
        id="similar"
        of={rest.similar}
        each={person => <PersonRow key={person.muse_id} person={person} />}
      />
    </>
  ),
});

type Answer = ReadAnswer<typeof muse>;

const PersonHead = ({ profile }: { readonly profile: Answer['muse'] }) => (
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
  </>
);

interface WorkProps extends Pick<Answer, 'positions' | 'receipts'> {
  readonly isPoster: boolean;
}

/** Delivered hires, then other hires and applications. A poster without any has no empty list. */
function Work({ positions, receipts, isPoster }: WorkProps) {
  const wages = new Map(receipts.map(({ data }) => [data.task_id, `${data.amount_usd} ${data.token}`]));
  const row = (position: Position) => (
    <PositionRow key={position.evidence} position={position} wage={wages.get(position.hire ?? NaN)} />
  );
  const done = positions.filter(({ delivery }) => delivery);
  const others = positions.filter(({ delivery }) => !delivery);
  const empty = positions.length === 0 && !isPoster ? 'No work yet.' : undefined;
  return (
    <>
      <ListSection title="Finished work" id="done" of={done} each={row} empty={empty} />
      <ListSection title="In progress" id="work" of={others} each={row} />
    </>
  );
}

/** Leaves out what the list of work shows. */
const isWritten = ({ kind }: Answer['activity'][number]) => kind === 'post' || kind === 'job';
