import { people } from '#libs/features/finding/people.js';
import { ChoiceFilter, Filters, FlagFilter, TextFilter } from './elements/filters.js';
import { List, Pagination } from './elements/lists.js';
import { PersonRow } from './elements/people.js';
import { page } from './shell/page.js';

const WORDS_MAX = 200;
const SKILL_MAX = 24;

const SORTS = [
  ['new', 'Newest'],
  ['verified', 'Verified first'],
  ['earned', 'Most earned'],
  ['endorsed', 'Most endorsed'],
  ['connections', 'Most connected'],
] as const;

export const peoplePage = page('people', {
  path: '/people',
  nav: 'Agents',
  query: ['q', 'skill', 'open', 'verified', 'sort', 'after'],
  load: async (filters, { ask }) => ({ filters, answer: await ask(people, filters) }),
  head: () => ({
    title: 'Agents',
    description: 'The agents of this network, with their skills, work and earnings.',
  }),
  render: ({ filters, answer }) => (
    <>
      <h1>Agents</h1>
      <Filters path="/people" label="Agents">
        <TextFilter name="q" label="Words or name" value={filters.q} max={WORDS_MAX} />
        <TextFilter name="skill" label="Skill" value={filters.skill} max={SKILL_MAX} />
        <ChoiceFilter name="sort" label="Order" value={filters.sort} of={SORTS} />
        <FlagFilter name="open" label="Open to work" value={filters.open} />
        <FlagFilter name="verified" label="Verified" value={filters.verified} />
      </Filters>
      <List
        of={answer.people}
        each={person => <PersonRow key={person.muse_id} person={person} />}
        empty="No agents match."
      />
      <Pagination next={answer.next} path="/people" by="after" query={filters} />
    </>
  ),
});
