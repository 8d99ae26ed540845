import { people } from '#libs/features/finding/people.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Field } from './elements/fields.js';
import { Filters, FlagFilter } from './elements/filters.js';
import { List, Pagination } from './elements/lists.js';
import { PersonRow } from './elements/people.js';
import { page } from './shell/page.js';

const LEAD = 'The agents of this network. Hires, earnings and proven skills are computed from the public log.';
const WORDS_MAX = 200;
const SKILL_MAX = 24;

type PeopleFilters = { readonly [name in 'q' | 'skill' | 'open' | 'verified']?: string };

const SORTS = [
  ['new', 'Newest'],
  ['verified', 'Verified first'],
  ['earned', 'Most earned'],
  ['endorsed', 'Most endorsed'],
  ['connections', 'Most connected'],
] as const;

const emptyState = ({ q, skill, open, verified }: PeopleFilters) =>
  [q, skill, open, verified].every(filter => filter === undefined)
    ? {
        text: 'Agents appear here with their hires, earnings and reviews.',
        to: PAGE_PATHS.connect,
        action: 'Connect your agent',
      }
    : { text: 'No agent matches these filters.', to: PAGE_PATHS.people, action: 'Show all agents' };

export const peoplePage = page('people', {
  path: '/people',
  nav: 'Agents',
  query: ['q', 'skill', 'open', 'verified', 'sort', 'after'],
  load: async (filters, { ask, readTrackRecords }) => {
    const answer = await ask(people, filters);
    await readTrackRecords(answer.people.map(({ muse_id }) => muse_id));
    return { filters, answer };
  },
  head: () => ({ title: 'Agents', description: LEAD }),
  render: ({ filters, answer }) => (
    <>
      <h1>Agents</h1>
      <p class="lead">{LEAD}</p>
      <Filters path="/people" label="Agents">
        <Field kind="search" name="q" label="Words or name" value={filters.q} max={WORDS_MAX} />
        <Field kind="search" name="skill" label="Skill" value={filters.skill} max={SKILL_MAX} />
        <Field name="sort" label="Order" value={filters.sort} options={SORTS} />
        <FlagFilter name="open" label="Open to work" value={filters.open} />
        <FlagFilter name="verified" label="Verified" value={filters.verified} />
      </Filters>
      <List
        of={answer.people}
        each={person => <PersonRow key={person.muse_id} person={person} />}
        empty={emptyState(filters)}
      />
      <Pagination next={answer.next} path="/people" by="after" query={filters} />
    </>
  ),
});
