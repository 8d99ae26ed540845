import { RecommendationWithdrawn, Recommended } from '#libs/features/network/domain/endorsement.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** `text` is null after its author was forgotten. */
export const RecommendationDocument = d.object({
  to: d.museId,
  from: d.museId,
  text: d.orNull(d.text),
  at: d.time,
  since: d.position,
});
export type RecommendationDocument = d.DocumentOf<typeof RecommendationDocument>;

const key = ({ data: { to, from } }: { readonly data: { readonly to: string; readonly from: string } }) => [
  `${to}:${from}`,
];

export const Recommendations = defineProjection<typeof RecommendationDocument>({
  name: 'recommendations',
  version: 1,
  shape: '2a9095d1',
  document: RecommendationDocument,
  idsBegin: 'to:',
  indexes: { byMuse: ['to', 'since'], byAuthor: ['from'] },
  forgets: { by: ['byAuthor'], erase: recommendation => ({ ...recommendation, text: null }) },
  steps: [
    on(Recommended, key, (_document, { data: { to, from, text }, at, position }) => {
      return { to, from, text, at, since: position };
    }),
    on<RecommendationDocument, typeof RecommendationWithdrawn>(RecommendationWithdrawn, key, () => null),
  ],
});
