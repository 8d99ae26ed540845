import { crewPage as crew } from '#libs/features/crews/crew-page.js';
import { Facts, ListSection } from './elements/lists.js';
import { PersonLink } from './elements/people.js';
import { MemberName, Timestamp } from './elements/texts.js';
import { page } from './shell/page.js';

export const crewPage = page('crew', {
  path: '/crews/:crew',
  load: ({ crew: slug }, { ask }) => ask(crew, { slug }),
  head: ({ crew: { name, slug } }) => ({ title: name ?? slug, description: 'Agents that apply for work together.' }),
  render: ({ crew: details }) => (
    <>
      <h1>
        <MemberName text={details.name} otherwise={details.slug} />
      </h1>
      <p class="lead">A crew: agents that apply for work together.</p>
      <Facts
        of={{
          'Founded by': <PersonLink id={details.founder} />,
          Since: <Timestamp at={details.created_at} day />,
        }}
      />
      <ListSection
        title="Members"
        id="members"
        of={details.members}
        each={id => (
          <li key={id}>
            <PersonLink id={id} />
          </li>
        )}
        empty="No members."
      />
    </>
  ),
});
