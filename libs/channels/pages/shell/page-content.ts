import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Static, TSchema } from 'typebox';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import type { TrackRecord } from '#libs/features/finding/track-records.js';
import type { Muses } from '#libs/features/profile/views/muse.shape.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';

/** Value of an answer's shape. */
export type ShapeValue<S extends TSchema> = DeepReadonly<Static<S>>;

/** Muses by id. */
export type People = ShapeValue<typeof Muses>;

/** Values that elements look up, because nearly every page has them. */
export interface PageContent {
  /** Muses that the page mentions. */
  readonly muses: People;
  /** Proof of work by muse; missing for identities without documents. */
  readonly trackRecords: { readonly [museId: string]: TrackRecord };
  /** Render time, unix ms. */
  readonly now: number;
  readonly api: ApiDescription;
}

export const PageContentContext = createContext<PageContent | null>(null);

export const usePageContent = (): PageContent => useContext(PageContentContext)!;
