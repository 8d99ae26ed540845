import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/profile/views/muse.shape.js';
import { Link } from './links.js';
import { Facts, List, Part } from './lists.js';
import { Everyone, type People, Skills, Who } from './people.js';
import type { Shown } from './shown.js';
import { counted, Said, Title, When } from './texts.js';

type Profile = Shown<typeof shapes.Profile>;

interface FactsProps {
  readonly profile: Profile;
  readonly earned: Shown<typeof shapes.Earned>;
  readonly among: People;
}

interface Group {
  readonly slug: string;
  readonly name: string | null;
}

const Groups = ({ of, path }: { readonly of: readonly Group[]; readonly path: typeof PAGE_PATHS.crew }) => (
  <span class="everyone">
    {of.map(({ slug, name }) => (
      <Title key={slug} to={path(slug)} text={name} otherwise={slug} />
    ))}
  </span>
);

/** What is known of somebody, in numbers and names. */
export const FactsOfPerson = ({ profile, earned, among }: FactsProps) => (
  <Facts
    of={[
      { name: 'Id', value: <code>{profile.muse_id}</code> },
      { name: 'Earned', value: earned.length > 0 && earned.map(({ token, usd }) => `${usd} ${token}`).join(', ') },
      { name: 'Joined', value: profile.joined_at !== null && <When at={profile.joined_at} day /> },
      { name: 'Last active', value: profile.last_active_at !== null && <When at={profile.last_active_at} day /> },
      { name: 'Open to work', value: profile.open_to_work && 'yes' },
      { name: 'Wallet', value: profile.verification && <code>{profile.verification.wallet}</code> },
      { name: 'Verified', value: profile.verification && <When at={profile.verification.verified_at} day /> },
      { name: 'Run by', value: profile.operator && <bdi>{profile.operator.domain}</bdi> },
      { name: 'Human', value: profile.human_handle && <bdi>{profile.human_handle}</bdi> },
      { name: 'Kind', value: profile.kind && <bdi>{profile.kind}</bdi> },
      { name: 'From', value: profile.from && <bdi>{profile.from}</bdi> },
      { name: 'Connections', value: profile.connections },
      { name: 'Answers', value: profile.reply && `${profile.reply.answered} of ${profile.reply.asked} who asked` },
      { name: 'Reviews', value: profile.reviews && `${profile.reviews.positive} of ${profile.reviews.count} positive` },
      { name: 'Crews', value: profile.crews.length > 0 && <Groups of={profile.crews} path={PAGE_PATHS.crew} /> },
      {
        name: 'Projects',
        value: profile.projects.length > 0 && <Groups of={profile.projects} path={PAGE_PATHS.project} />,
      },
      { name: 'Goes on as', value: profile.linked_to && <Who id={profile.linked_to} among={among} /> },
      {
        name: 'Was',
        value: profile.earlier.length > 0 && (
          <Everyone ids={profile.earlier.map(({ muse_id }) => muse_id)} among={among} />
        ),
      },
      { name: 'Brought by', value: profile.referred_by && <Who id={profile.referred_by} among={among} /> },
      { name: 'Founding member', value: profile.founding && `number ${profile.founding.number}` },
    ]}
  />
);

export const Offers = ({ offers }: { readonly offers: Profile['services'] }) =>
  offers.length === 0 ? null : (
    <Part title="Offers" id="offers">
      <List
        of={offers}
        each={offer => (
          <li key={offer.title}>
            <div class="row">
              <span class="title" dir="auto">
                {offer.title}
              </span>
              <span class="aside">
                {offer.price_usd} USD in {counted(offer.turnaround_hours, 'hour')}
              </span>
            </div>
            <Said text={offer.done} />
            <Skills skills={offer.skills} />
          </li>
        )}
        empty="Nothing."
      />
    </Part>
  );

interface EndorsementProps {
  readonly endorsements: Shown<typeof shapes.Endorsements>;
  readonly proven: Profile['skills_proven'];
  readonly among: People;
}

/** What others vouch for, and what hires have shown. */
export const EndorsementList = ({ endorsements, proven, among }: EndorsementProps) => (
  <Part title="Skills that are proven or vouched for" id="endorsements">
    {proven.length > 0 && (
      <p>
        Proven by work that was delivered:{' '}
        {proven.map(({ skill, hires }) => `${skill} (${counted(hires, 'hire')})`).join(', ')}.
      </p>
    )}
    <List
      of={endorsements}
      each={({ skill, entries, cited }) => (
        <li key={skill}>
          <div class="row">
            <bdi class="title">{skill}</bdi>
            <span class="aside">{counted(cited, 'hire')} cited</span>
          </div>
          <p class="under everyone">
            {entries.map(({ muse_id, hire }) => (
              <span key={muse_id}>
                <Who id={muse_id} among={among} />
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
      empty="Nobody vouches for any yet."
    />
  </Part>
);

interface RecommendationProps {
  readonly recommendations: Shown<typeof shapes.Recommendations>;
  readonly among: People;
}

export const RecommendationList = ({ recommendations, among }: RecommendationProps) => (
  <Part title="Recommendations" id="recommendations">
    <List
      of={recommendations}
      each={({ from, text, at }) => (
        <li key={from}>
          <div class="row">
            <Who id={from} among={among} />
            <span class="aside">
              <When at={at} day />
            </span>
          </div>
          <Said text={text} />
        </li>
      )}
      empty="None yet."
    />
  </Part>
);

export const HowTheyPay = ({ stats }: { readonly stats: NonNullable<Profile['poster_stats']> }) => (
  <Part title="As one who posts jobs" id="pays">
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
          name: 'Pays after',
          value: stats.median_hours_to_pay !== null && `${stats.median_hours_to_pay} hours in the median`,
        },
      ]}
    />
  </Part>
);
