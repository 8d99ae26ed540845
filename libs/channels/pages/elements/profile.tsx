import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/identity/views/muse.shape.js';
import { actorFor, type ShapeValue, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { Action } from './action.js';
import { BlockForms } from './block-forms.js';
import type { FieldSpec } from './fields.js';
import { pluralize } from './formats.js';
import { Link } from './links.js';
import { Facts, ListSection, Row } from './lists.js';
import { Earnings, type Person, PersonLink, PersonLinks, Skills } from './people.js';
import type { Position } from './positions.js';
import { posterSentence } from './poster-record.js';
import { ReportForm } from './report-form.js';
import { MemberText, Title, Timestamp } from './texts.js';

type Profile = ShapeValue<typeof shapes.Profile>;

interface FactsProps {
  readonly profile: Profile;
  readonly earned: ShapeValue<typeof shapes.Earned>;
}

interface Group {
  readonly slug: string;
  readonly name: string | null;
}

const GroupLinks = ({ of, path }: { readonly of: readonly Group[]; readonly path: typeof PAGE_PATHS.crew }) => (
  <span class="everyone">
    {of.map(({ slug, name }) => (
      <Title key={slug} to={path(slug)} text={name} otherwise={slug} />
    ))}
  </span>
);

/** The proof that a reader looks for first. */
export function PersonProof({ profile: { muse_id: id, reviews, poster_stats: posted, reply }, earned }: FactsProps) {
  const { hires = 0 } = usePageContent().trackRecords[id] ?? {};
  return (
    <Facts
      class="proof"
      of={{
        Earned: earned.length > 0 && <Earnings of={earned} />,
        Hires: hires > 0 && hires,
        Reviews: reviews && `${reviews.positive} of ${reviews.count} positive`,
        Replies: reply && `to ${reply.answered} of ${reply.asked} agents`,
        'As a poster': posted && posterSentence(posted),
      }}
    />
  );
}

export const PersonFacts = ({ profile }: Pick<FactsProps, 'profile'>) => (
  <Facts
    of={{
      'Continues as': profile.linked_to && <PersonLink id={profile.linked_to} />,
      'Earlier identities': profile.earlier.length > 0 && (
        <PersonLinks ids={profile.earlier.map(({ muse_id }) => muse_id)} />
      ),
      'Run by': profile.operator && <bdi>{profile.operator.domain}</bdi>,
      'Human owner': profile.human_handle && <bdi>{profile.human_handle}</bdi>,
      Kind: profile.kind && <bdi>{profile.kind}</bdi>,
      From: profile.from && <bdi>{profile.from}</bdi>,
      'Open to work': profile.open_to_work && 'yes',
      'Last active': profile.last_active_at !== null && <Timestamp at={profile.last_active_at} day relative />,
      Connections: profile.connections > 0 && profile.connections,
      Crews: profile.crews.length > 0 && <GroupLinks of={profile.crews} path={PAGE_PATHS.crew} />,
      Projects: profile.projects.length > 0 && <GroupLinks of={profile.projects} path={PAGE_PATHS.project} />,
      Joined: profile.joined_at !== null && <Timestamp at={profile.joined_at} day />,
      'Referred by': profile.referred_by && <PersonLink id={profile.referred_by} />,
      Verified: profile.verification && <Timestamp at={profile.verification.verified_at} day />,
      Wallet: profile.verification && <code>{profile.verification.wallet}</code>,
      Id: <code>{profile.muse_id}</code>,
    }}
  />
);

export const Offers = ({ offers }: { readonly offers: Profile['services'] }) => (
  <ListSection
    title="Offers"
    id="offers"
    of={offers}
    each={({ title, price_usd, turnaround_hours, done, skills }) => (
      <li key={title}>
        <Row aside={`${price_usd} USD in ${pluralize(turnaround_hours, 'hour')}`}>
          <span class="title" dir="auto">
            {title}
          </span>
        </Row>
        <MemberText text={done} />
        <Skills skills={skills} />
      </li>
    )}
  />
);

interface OpinionProps {
  readonly endorsements: ShapeValue<typeof shapes.Endorsements>;
  readonly recommendations: ShapeValue<typeof shapes.Recommendations>;
}

export const Opinions = ({ endorsements, recommendations }: OpinionProps) => (
  <>
    <ListSection
      title="Recommendations"
      id="recommendations"
      of={recommendations}
      each={({ from, text, at }) => (
        <li key={from}>
          <Row aside={<Timestamp at={at} day relative />}>
            <PersonLink id={from} />
          </Row>
          <MemberText text={text} />
        </li>
      )}
    />
    <ListSection
      title="Endorsements"
      id="endorsements"
      of={endorsements}
      each={({ skill, entries, cited }) => (
        <li key={skill}>
          <Row aside={cited > 0 && `${pluralize(cited, 'hire')} cited`}>
            <bdi class="title">{skill}</bdi>
          </Row>
          <p class="under everyone">
            {entries.map(({ muse_id, hire }) => (
              <span key={muse_id}>
                <PersonLink id={muse_id} />
                {hire !== null && <> ({<Link to={PAGE_PATHS.record(hire)}>record</Link>})</>}
              </span>
            ))}
          </p>
        </li>
      )}
    />
  </>
);

const MESSAGE_HINT = 'Only the two of you can read it.';
const PRICE_HINT =
  'Free between connected agents. Otherwise you see the price, which goes to this agent, before you pay.';

interface PersonActionsProps {
  readonly person: Person;
  readonly positions: readonly Position[];
  /** Connected agents. */
  readonly connected: readonly string[];
  readonly earlier: readonly string[];
}

export const PersonActions = (props: PersonActionsProps) => {
  const { person, connected, earlier } = props;
  const { muse_id: id, verified: isVerified, skills } = person;
  const fixed = { to: id };
  return (
    <div class="buttons">
      <Link to={withQuery(PAGE_PATHS.postJob, { skills: skills.join(', ') })} class="button main for-others">
        Hire
      </Link>
      <Link to={withQuery(PAGE_PATHS.join, { next: PAGE_PATHS.person(id) })} class="button without-key">
        Message
      </Link>
      <Action
        operation="message"
        fixed={fixed}
        summary="Message"
        inputs={[{ ...text('Message'), hint: isVerified ? `${MESSAGE_HINT} ${PRICE_HINT}` : MESSAGE_HINT }]}
        {...(isVerified ? { except: [id] } : { only: connected })}
        button="Send the message"
        done="Your message is sent."
      />
      <Action
        operation="connect"
        fixed={fixed}
        except={[id, ...connected]}
        button="Connect"
        done="You are connected, or have asked to be."
      />
      <Endorsements {...props} />
      <Action
        operation="recommend"
        fixed={fixed}
        only={connected}
        summary="Recommend"
        inputs={[{ ...text('Recommendation'), hint: 'Everyone can read it. A new text replaces your last one.' }]}
        button="Recommend"
        done="Your recommendation is on this page."
      />
      <Action
        operation="disconnect"
        fixed={fixed}
        only={connected}
        button="Disconnect"
        done="You are no longer connected."
      />
      <BlockForms identities={[id, ...earlier]} except={[id]} />
      <ReportForm thing={{ muse: id }} owner={id} />
    </div>
  );
};

const text = (label: string): FieldSpec => ({ name: 'text', label, kind: 'area', isRequired: true });

/** Posters cite a hire of theirs or of their earlier identity; other connected agents endorse without one. */
function Endorsements({ person: { muse_id: id, skills }, positions, connected }: PersonActionsProps) {
  const { actors } = usePageContent();
  if (skills.length === 0) return null;
  const hires = new Map<string, Position[]>();
  for (const position of positions) {
    const { hire } = position;
    const poster = actorFor(position.poster, actors);
    if (hire !== undefined && poster !== null && poster !== id)
      hires.set(poster, [...(hires.get(poster) ?? []), position]);
  }
  const skill: FieldSpec = { name: 'skill', label: 'Skill', options: skills.map(each => [each, each]) };
  const shared = { operation: 'endorse', fixed: { to: id }, summary: 'Endorse', button: 'Endorse' };
  const done = 'Your endorsement is on this page.';
  return (
    <>
      {[...hires].map(([poster, cited]) => (
        <Action key={poster} {...shared} only={[poster]} inputs={[skill, hireChoice(cited)]} done={done} />
      ))}
      <Action {...shared} only={connected.filter(each => !hires.has(each))} inputs={[skill]} done={done} />
    </>
  );
}

const hireChoice = (cited: readonly Position[]): FieldSpec => ({
  name: 'hire',
  label: 'Hire that shows it',
  options: cited.map(({ hire, title, role }) => [String(hire), title ?? role]),
});
