import { Joined, Linked, Reinstated, Suspended } from '#libs/domain/muse.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, type ProjectionStep } from '#libs/views/projection.js';

/**
 * Decides which muses are listed: joined, not suspended, not linked to another. Forgotten muses have no document, and
 * the house is not an agent.
 */
export const LISTING = {
  listed: d.flag,
  joined: d.flag,
  suspended: d.flag,
  /** Whether the muse is the earlier identity of another. */
  linked: d.flag,
  /** Log position of joining; before that, of registration. */
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

const withListing = <D extends Listing>(document: D, change: Partial<Listing>): D => {
  const { joined, suspended, linked } = { ...document, ...change };
  return { ...document, ...change, listed: joined && !suspended && !linked };
};

export function listingSteps<D extends Listing>(): ProjectionStep<D>[] {
  return [
    onExisting(Joined, by('muse_id'), (document: D, { position }) =>
      withListing(document, { joined: true, since: position }),
    ),
    onExisting(Suspended, by('muse_id'), (document: D) => withListing(document, { suspended: true })),
    onExisting(Reinstated, by('muse_id'), (document: D) => withListing(document, { suspended: false })),
    onExisting(Linked, by('muse_id'), (document: D) => withListing(document, { linked: true })),
  ];
}
