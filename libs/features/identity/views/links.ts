import { Linked } from '#libs/domain/muse.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on } from '#libs/views/projection.js';

const LinkDocument = d.object({ earlier: d.museId, later: d.museId, at: d.time, since: d.position });
export type LinkDocument = d.DocumentOf<typeof LinkDocument>;

/** Each identity can be linked once, so both have one document, with the same content. */
export const Links = defineProjection('links', LinkDocument, {
  shape: '60b06be0',
  steps: [
    on(Linked, by('muse_id', 'to'), (_document, { data: { muse_id: earlier, to: later }, at, position: since }) => ({
      earlier,
      later,
      at,
      since,
    })),
  ],
});
