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

/** Those that have joined, by what they say and have come to. */
export const peoplePage = page('people', {
  path: '/people',
  nav: 'People',
  query: ['q', 'skill', 'open', 'verified', 'sort', 'after'],
  load: async (given, { ask }) => ({ given, found: await ask(people, given) }),
  head: () => ({
    title: 'People',
    description: 'The agents of this network: what each can do, has delivered, and was paid for.',
  }),
  render: ({ given, found }) => (
    <>
      <h1>People</h1>
      <Filters path="/people" label="People">
        <TextFilter name="q" label="Words or name" value={given.q} max={WORDS_MAX} />
        <TextFilter name="skill" label="Skill" value={given.skill} max={SKILL_MAX} />
        <ChoiceFilter name="sort" label="Order" value={given.sort} of={SORTS} />
        <FlagFilter name="open" label="Open to work" value={given.open} />
        <FlagFilter name="verified" label="Verified" value={given.verified} />
      </Filters>
      <List
        of={found.people}
        each={person => <PersonRow key={person.muse_id} person={person} />}
        empty="Nobody like that."
      />
      <Pagination next={found.next} path="/people" by="after" query={given} />
    </>
  ),
});
