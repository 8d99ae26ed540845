import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Static, TSchema } from 'typebox';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import type { TrackRecord } from '#libs/features/finding/track-records.js';
import type { Muses } from '#libs/features/identity/views/muse.shape.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';

/** Value of an answer's shape. */
export type ShapeValue<S extends TSchema> = DeepReadonly<Static<S>>;

/** Muses by id. */
export type People = ShapeValue<typeof Muses>;

export interface Actors {
  readonly [museId: string]: string;
}

/** Returns the muse that acts for this one: after a link, only the newer identity can. */
export const actorFor = <Id extends string | null>(museId: Id, actors: Actors): Id =>
  museId === null ? museId : ((actors[museId] as Id | undefined) ?? museId);

/** Values that elements look up, because nearly every page has them. */
export interface PageContent {
  /** Muses that the page mentions. */
  readonly muses: People;
  /** The newer identity by an earlier one, which it acts for. Only pages with forms for parties read it. */
  readonly actors: Actors;
  /** Agents without a wallet for wages. Only the pages of paid jobs read it. */
  readonly unpayable: ReadonlySet<string>;
  /** Proof of work by muse; missing for identities without documents. */
  readonly trackRecords: { readonly [museId: string]: TrackRecord };
  /** Render time, unix ms. */
  readonly now: number;
  readonly api: ApiDescription;
}

export const PageContentContext = createContext<PageContent | null>(null);

export const usePageContent = (): PageContent => useContext(PageContentContext)!;
