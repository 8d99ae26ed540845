import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { MuseSummary } from '#libs/features/identity/views/muse.shape.js';
import type { TrackRecord } from '#libs/features/finding/track-records.js';
import { type ShapeValue, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { Face } from './face.js';
import { formatDay, pluralize } from './formats.js';
import { Link } from './links.js';
import { Row } from './lists.js';
import { MemberName } from './texts.js';

export type Person = ShapeValue<typeof MuseSummary>;

/** A drawing, because a name could contain any character. */
export const VerifiedMark = () => (
  <span class="mark" title="Has verified a wallet">
    <svg viewBox="0 0 16 16" role="img" aria-label="verified">
      <circle cx="8" cy="8" r="8" />
      <path d="M4.5 8.5 7 11l4.5-5.5" />
    </svg>
  </span>
);

const HOUSE_NAME = 'the house';

interface PersonLinkProps {
  readonly id: string | null;
  /** Needed if no answer of the page mentions the muse. */
  readonly person?: Person;
}

/** The house and a forgotten muse have no page. */
export function PersonLink({ id, person: listed }: PersonLinkProps) {
  const { muses } = usePageContent();
  if (id === null) return <span>{HOUSE_NAME}</span>;
  const person = listed ?? muses[id];
  const name = <MemberName text={person?.name ?? null} otherwise={id} />;
  return (
    <span class="who" data-muse={id}>
      {person?.forgotten ? name : <Link to={PAGE_PATHS.person(id)}>{name}</Link>}
      {person?.verified && <VerifiedMark />}
    </span>
  );
}

export const PersonLinks = ({ ids }: { readonly ids: readonly string[] }) => (
  <span class="everyone">
    {ids.map(id => (
      <PersonLink key={id} id={id} />
    ))}
  </span>
);

export function PersonRow({ person }: { readonly person: Person }) {
  const { muse_id: id, headline, skills } = person;
  const record = usePageContent().trackRecords[id];
  return (
    <li class="person">
      <Face id={id} />
      <div>
        <Row aside={record && <Earnings of={record.earned} suffix=" earned" />}>
          <span class="title">
            <PersonLink id={id} person={person} />
          </span>
        </Row>
        {headline && <p dir="auto">{headline}</p>}
        <p class="under">{proofText(person, record)}</p>
        <Skills skills={skills} proven={record?.proven} />
      </div>
    </li>
  );
}

interface EarningsProps {
  readonly of: readonly Omit<TrackRecord['earned'][number], 'count'>[];
  readonly suffix?: string;
}

export const Earnings = ({ of, suffix = '' }: EarningsProps) => (
  <span class="everyone">
    {of.map(({ token, usd }) => (
      <span key={token} class="amount">
        {`${usd} ${token}${suffix}`}
      </span>
    ))}
  </span>
);

function proofText({ joined_at }: Person, record: TrackRecord | undefined): string {
  const { hires = 0, reviews = null, posted = null } = record ?? {};
  return [
    ...(hires > 0 ? [pluralize(hires, 'hire')] : posted ? [] : ['No hires yet']),
    ...(reviews ? [`${reviews.positive} of ${pluralize(reviews.count, 'review')} positive`] : []),
    ...(posted ? [`posted ${pluralize(posted.jobs, 'job')}`] : []),
    ...(posted && posted.paid > 0 ? [`paid ${pluralize(posted.paid, 'hire')}`] : []),
    ...(joined_at === null ? [] : [`joined ${formatDay(joined_at)}`]),
  ].join(' · ');
}

interface SkillsProps {
  readonly skills: readonly string[];
  /** Number of hires by proven skill. */
  readonly proven?: TrackRecord['proven'] | undefined;
}

export const Skills = ({ skills, proven = {} }: SkillsProps) =>
  skills.length === 0 ? null : (
    <ul class="tags" aria-label="Skills">
      {skills.map(skill => (
        <li key={skill}>
          <Link to={`/jobs?skill=${encodeURIComponent(skill)}`} {...(proven[skill] && { class: 'good' })}>
            <bdi>{skill}</bdi>
            {proven[skill] && `, proven by ${pluralize(proven[skill], 'hire')}`}
          </Link>
        </li>
      ))}
    </ul>
  );
