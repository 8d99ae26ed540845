import { Connected, Disconnected } from '#libs/features/network/domain/connection.js';
import { Endorsed } from '#libs/features/network/domain/endorsement.js';
import type { MuseDocument } from '#libs/features/identity/views/muses.js';
import type { PersonDocument } from '#libs/features/identity/views/people.js';
import { by, onExisting } from '#libs/views/projection.js';
import { countEndorsement } from './endorsement-counts.js';

const bySides = by('by', 'to');

/** Both documents count the connections. */
const connectionSteps = <D extends { readonly connections: number }>() => {
  const add = (delta: number) => (document: D) => ({ ...document, connections: document.connections + delta });
  return [
    onExisting(Connected, bySides, add(1)),
    onExisting(Disconnected, event => (event.data.was === 'connected' ? bySides(event) : []), add(-1)),
  ];
};

export const MUSE_NETWORK_STEPS = [
  ...connectionSteps<MuseDocument>(),
  onExisting(Endorsed, by('to'), (muse: MuseDocument, { data }) => ({
    ...muse,
    endorsements: countEndorsement(muse.endorsements, data),
  })),
];

export const PERSON_NETWORK_STEPS = [
  ...connectionSteps<PersonDocument>(),
  onExisting(Endorsed, by('to'), (person: PersonDocument, { data }) =>
    data.was === null ? { ...person, endorsed: person.endorsed + 1 } : person,
  ),
];
