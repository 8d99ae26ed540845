import { CrewCreated } from '#libs/features/crews/domain/crew.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, defineProjection } from '#libs/views/projection.js';

export const CrewDocument = d.object({
  slug: d.slug,
  name: d.orNull(d.text),
  founder: d.museId,
  created_at: d.time,
  opened: d.position,
});
export type CrewDocument = d.DocumentOf<typeof CrewDocument>;

export const Crews = defineProjection('crews', CrewDocument, {
  shape: '6f997fc6',
  indexes: { byFounder: ['founder'], all: ['opened'] },
  forgets: { by: ['byFounder'], erase: crew => ({ ...crew, name: null }) },
  steps: [
    on(CrewCreated, by('crew'), (_document, { data: { crew: slug, name, founder }, at, position }) => {
      return { slug, name, founder, created_at: at, opened: position };
    }),
  ],
});
