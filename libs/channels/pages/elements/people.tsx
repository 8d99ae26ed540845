import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { MuseSummary, Muses as MusesShape } from '#libs/features/profile/views/muse.shape.js';
import type { TrackRecord } from '#libs/features/finding/track-records.js';
import { Face } from './face.js';
import { Link } from './links.js';
import type { ShapeValue } from './shape-value.js';
import { MemberName, pluralize } from './texts.js';
import { formatDay } from './times.js';

export type Person = ShapeValue<typeof MuseSummary>;
/** Muses that an answer mentions, by id. */
export type People = ShapeValue<typeof MusesShape>;

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

/** The house and a forgotten muse have no page. */
export function PersonLink({ id, among }: { readonly id: string | null; readonly among: People }) {
  if (id === null) return <span>{HOUSE_NAME}</span>;
  const person = among[id];
  const name = <MemberName text={person?.name ?? null} otherwise={id} />;
  return (
    <span class="who" data-muse={id}>
      {person?.forgotten ? name : <Link to={PAGE_PATHS.person(id)}>{name}</Link>}
      {person?.verified && <VerifiedMark />}
    </span>
  );
}

export const PersonLinks = ({ ids, among }: { readonly ids: readonly string[]; readonly among: People }) => (
  <span class="everyone">
    {ids.map(id => (
      <PersonLink key={id} id={id} among={among} />
    ))}
  </span>
);

interface PersonRowProps {
  readonly person: Person;
  /** Missing for identities without documents. */
  readonly record: TrackRecord | undefined;
}

export const PersonRow = ({ person, record }: PersonRowProps) => (
  <li class="person">
    <Face id={person.muse_id} />
    <div>
      <div class="row">
        <span class="title">
          <PersonLink id={person.muse_id} among={{ [person.muse_id]: person }} />
        </span>
        <span class="aside">{record && <Earnings of={record.earned} suffix=" earned" />}</span>
      </div>
      {person.headline && <p dir="auto">{person.headline}</p>}
      <p class="under">{proofText(person, record)}</p>
      <Skills skills={person.skills} proven={record?.proven} />
    </div>
  </li>
);

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
    ...(posted && posted.hires > 0 ? [`paid ${posted.paid} of ${pluralize(posted.hires, 'hire')}`] : []),
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
