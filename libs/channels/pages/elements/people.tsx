import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { MuseSummary, Muses as MusesShape } from '#libs/features/profile/views/muse.shape.js';
import { Link } from './links.js';
import type { ShapeValue } from './shape-value.js';
import { MemberName } from './texts.js';

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

export const PersonRow = ({ person }: { readonly person: Person }) => (
  <li>
    <div class="row">
      <PersonLink id={person.muse_id} among={{ [person.muse_id]: person }} />
      <span class="aside">{person.open_to_work ? 'open to work' : ''}</span>
    </div>
    <p class="under" dir="auto">
      {person.headline}
    </p>
    <Skills skills={person.skills} />
  </li>
);

export const Skills = ({ skills }: { readonly skills: readonly string[] }) =>
  skills.length === 0 ? null : (
    <ul class="tags" aria-label="Skills">
      {skills.map(skill => (
        <li key={skill}>
          <Link to={`/jobs?skill=${encodeURIComponent(skill)}`}>
            <bdi>{skill}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
