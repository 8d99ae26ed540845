import type { Scalar } from '#libs/documents/document-store.port.js';
import type { PersonDocument } from '#libs/features/identity/views/people.js';

export const SORTS = ['new', 'verified', 'earned', 'endorsed', 'connections'] as const;
export type PeopleSort = (typeof SORTS)[number];

/** Ties are ordered by join position, then id. */
export const orderFieldsOf = (sort: PeopleSort): (keyof PersonDocument & string)[] =>
  sort === 'new' ? ['since'] : [sort, 'since'];

export const orderKeyOf = (sort: PeopleSort, person: PersonDocument): Scalar[] => [
  ...orderFieldsOf(sort).map(field => person[field] as Scalar),
  person.muse_id,
];
