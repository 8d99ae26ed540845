import { RecommendationWithdrawn, Recommended } from '#libs/features/network/domain/endorsement.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection, removeOn } from '#libs/views/projection.js';

/** `text` is null after its author was forgotten. */
const Recommendation = d.object({
  to: d.museId,
  from: d.museId,
  text: d.orNull(d.text),
  at: d.time,
  since: d.position,
});

type PairEvent = { readonly data: { readonly to: string; readonly from: string } };
const byPair = ({ data: { to, from } }: PairEvent) => [`${to}:${from}`];

export const Recommendations = defineProjection('recommendations', Recommendation, {
  shape: '2a9095d1',
  idsBegin: 'to:',
  indexes: { byMuse: ['to', 'since'], byAuthor: ['from'] },
  forgets: { by: ['byAuthor'], erase: recommendation => ({ ...recommendation, text: null }) },
  steps: [
    on(Recommended, byPair, (_document, { data: { to, from, text }, at, position }) => {
      return { to, from, text, at, since: position };
    }),
    removeOn(RecommendationWithdrawn, byPair),
  ],
});
