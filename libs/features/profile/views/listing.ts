import { Linked } from '#libs/domain/link-events.js';
import { Joined, Reinstated, Suspended } from '#libs/domain/muse.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, type ProjectionStep } from '#libs/views/projection.js';

/**
 * Who stands in the lists of people: who has joined, is not suspended, does not count for another by now and has not
 * been forgotten, which takes its documents away. The house is no agent.
 */
export const LISTING = {
  listed: d.flag,
  joined: d.flag,
  suspended: d.flag,
  /** Whether it is the earlier identity of another, for which it counts. */
  linked: d.flag,
  /** Where in the log it joined; until then where it was registered. */
  since: d.position,
};
interface Listing {
  readonly listed: boolean;
  readonly joined: boolean;
  readonly suspended: boolean;
  readonly linked: boolean;
  readonly since: string;
}

export const notYetListed = (since: string): Listing => ({
  listed: false,
  joined: false,
  suspended: false,
  linked: false,
  since,
});

type MuseEvent = { readonly data: { readonly muse_id: string } };
export const byMuse = ({ data }: MuseEvent) => [data.muse_id];

const relisted = <D extends Listing>(document: D, changed: Partial<Listing>): D => {
  const { joined, suspended, linked } = { ...document, ...changed };
  return { ...document, ...changed, listed: joined && !suspended && !linked };
};

/** What brings a muse into the lists, and takes it out of them. */
export function listingSteps<D extends Listing>(): ProjectionStep<D>[] {
  return [
    onExisting(Joined, byMuse, (document: D, { position }) => relisted(document, { joined: true, since: position })),
    onExisting(Suspended, byMuse, (document: D) => relisted(document, { suspended: true })),
    onExisting(Reinstated, byMuse, (document: D) => relisted(document, { suspended: false })),
    onExisting(Linked, byMuse, (document: D) => relisted(document, { linked: true })),
  ];
}
