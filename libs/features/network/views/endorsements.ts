import { Endorsed } from '#libs/features/network/domain/endorsement.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const EndorsementDocument = d.object({
  to: d.museId,
  from: d.museId,
  skill: d.text,
  hire: d.orNull(d.id),
  at: d.time,
  since: d.position,
});
export type EndorsementDocument = d.DocumentOf<typeof EndorsementDocument>;

const keyOf = (to: string, from: string, skill: string) => `${to}:${from}:${skill}`;

export const Endorsements = defineProjection<typeof EndorsementDocument>({
  name: 'endorsements',
  version: 1,
  shape: '162670a5',
  document: EndorsementDocument,
  idsBegin: 'to:',
  indexes: { byMuse: ['to', 'since'] },
  steps: [
    on(
      Endorsed,
      ({ data: { to, from, skill } }) => [keyOf(to, from, skill)],
      (_document, { data: { to, from, skill, hire }, at, position }) => {
        return { to, from, skill, hire, at, since: position };
      },
    ),
  ],
});
