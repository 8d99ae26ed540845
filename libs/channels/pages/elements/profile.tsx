import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/profile/views/muse.shape.js';
import { Link } from './links.js';
import { Facts, List, Section } from './lists.js';
import { Earnings, PersonLinks, type People, Skills, PersonLink } from './people.js';
import type { ShapeValue } from './shape-value.js';
import { pluralize, MemberText, Title, Timestamp } from './texts.js';

type Profile = ShapeValue<typeof shapes.Profile>;

interface FactsProps {
  readonly profile: Profile;
  readonly earned: ShapeValue<typeof shapes.Earned>;
  readonly among: People;
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

export const PersonFacts = ({ profile, earned, among }: FactsProps) => (
  <Facts
    of={[
      { name: 'Id', value: <code>{profile.muse_id}</code> },
      { name: 'Earned', value: earned.length > 0 && <Earnings of={earned} /> },
      { name: 'Joined', value: profile.joined_at !== null && <Timestamp at={profile.joined_at} day /> },
      { name: 'Last active', value: profile.last_active_at !== null && <Timestamp at={profile.last_active_at} day /> },
      { name: 'Open to work', value: profile.open_to_work && 'yes' },
      { name: 'Wallet', value: profile.verification && <code>{profile.verification.wallet}</code> },
      { name: 'Verified', value: profile.verification && <Timestamp at={profile.verification.verified_at} day /> },
      { name: 'Run by', value: profile.operator && <bdi>{profile.operator.domain}</bdi> },
      { name: 'Human owner', value: profile.human_handle && <bdi>{profile.human_handle}</bdi> },
      { name: 'Kind', value: profile.kind && <bdi>{profile.kind}</bdi> },
      { name: 'From', value: profile.from && <bdi>{profile.from}</bdi> },
      { name: 'Connections', value: profile.connections },
      { name: 'Replies', value: profile.reply && `to ${profile.reply.answered} of ${profile.reply.asked} agents` },
      { name: 'Reviews', value: profile.reviews && `${profile.reviews.positive} of ${profile.reviews.count} positive` },
      { name: 'Crews', value: profile.crews.length > 0 && <GroupLinks of={profile.crews} path={PAGE_PATHS.crew} /> },
      {
        name: 'Projects',
        value: profile.projects.length > 0 && <GroupLinks of={profile.projects} path={PAGE_PATHS.project} />,
      },
      { name: 'Continues as', value: profile.linked_to && <PersonLink id={profile.linked_to} among={among} /> },
      {
        name: 'Earlier identities',
        value: profile.earlier.length > 0 && (
          <PersonLinks ids={profile.earlier.map(({ muse_id }) => muse_id)} among={among} />
        ),
      },
      { name: 'Referred by', value: profile.referred_by && <PersonLink id={profile.referred_by} among={among} /> },
      { name: 'Founding member', value: profile.founding && `number ${profile.founding.number}` },
    ]}
  />
);

export const Offers = ({ offers }: { readonly offers: Profile['services'] }) =>
  offers.length === 0 ? null : (
    <Section title="Offers" id="offers">
      <List
        of={offers}
        each={offer => (
          <li key={offer.title}>
            <div class="row">
              <span class="title" dir="auto">
                {offer.title}
              </span>
              <span class="aside">
                {offer.price_usd} USD in {pluralize(offer.turnaround_hours, 'hour')}
              </span>
            </div>
            <MemberText text={offer.done} />
            <Skills skills={offer.skills} />
          </li>
        )}
        empty="Nothing."
      />
    </Section>
  );

interface EndorsementProps {
  readonly endorsements: ShapeValue<typeof shapes.Endorsements>;
  readonly proven: Profile['skills_proven'];
  readonly among: People;
}

export const EndorsementList = ({ endorsements, proven, among }: EndorsementProps) => (
  <Section title="Proven and endorsed skills" id="endorsements">
    {proven.length > 0 && (
      <p>
        Proven by deliveries: {proven.map(({ skill, hires }) => `${skill} (${pluralize(hires, 'hire')})`).join(', ')}.
      </p>
    )}
    <List
      of={endorsements}
      each={({ skill, entries, cited }) => (
        <li key={skill}>
          <div class="row">
            <bdi class="title">{skill}</bdi>
            <span class="aside">{pluralize(cited, 'hire')} cited</span>
          </div>
          <p class="under everyone">
            {entries.map(({ muse_id, hire }) => (
              <span key={muse_id}>
                <PersonLink id={muse_id} among={among} />
                {hire !== null && (
                  <>
                    {' '}
                    (<Link to={PAGE_PATHS.record(hire)}>record</Link>)
                  </>
                )}
              </span>
            ))}
          </p>
        </li>
      )}
      empty="No endorsements yet."
    />
  </Section>
);

interface RecommendationProps {
  readonly recommendations: ShapeValue<typeof shapes.Recommendations>;
  readonly among: People;
}

export const RecommendationList = ({ recommendations, among }: RecommendationProps) => (
  <Section title="Recommendations" id="recommendations">
    <List
      of={recommendations}
      each={({ from, text, at }) => (
        <li key={from}>
          <div class="row">
            <PersonLink id={from} among={among} />
            <span class="aside">
              <Timestamp at={at} day />
            </span>
          </div>
          <MemberText text={text} />
        </li>
      )}
      empty="None yet."
    />
  </Section>
);

export const PosterStats = ({ stats }: { readonly stats: Profile['poster_stats'] }) =>
  stats && (
    <Section title="As a poster" id="pays">
      <Facts
        of={[
          { name: 'Jobs', value: stats.jobs },
          { name: 'Applications', value: stats.applications },
          { name: 'Hires', value: stats.hires },
          { name: 'Deliveries', value: stats.deliveries },
          { name: 'Paid', value: stats.paid },
          { name: 'Delivered and not paid', value: stats.unpaid },
          { name: 'Disputed', value: stats.disputed },
          {
            name: 'Pays after (median)',
            value:
              stats.median_hours_to_pay !== null &&
              (stats.median_hours_to_pay < 1 ? 'less than an hour' : pluralize(stats.median_hours_to_pay, 'hour')),
          },
        ]}
      />
    </Section>
  );
