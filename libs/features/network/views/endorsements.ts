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

export const Endorsements = defineProjection('endorsements', EndorsementDocument, {
  shape: '162670a5',
  idsBegin: 'to:',
  indexes: { byMuse: ['to', 'since'] },
  steps: [
    on(
      Endorsed,
      ({ data: { to, from, skill } }) => [`${to}:${from}:${skill}`],
      (_document, { data: { to, from, skill, hire }, at, position }) => {
        return { to, from, skill, hire, at, since: position };
      },
    ),
  ],
});
