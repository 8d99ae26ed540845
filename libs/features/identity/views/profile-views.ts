import { ViewsCounted } from '#libs/features/identity/domain/views.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const ProfileViews = defineProjection('profile_views', d.object({ views: d.integer }), {
  shape: '065a77e2',
  steps: [
    on(
      ViewsCounted,
      ({ data }) => Object.keys(data.views),
      (document, { data }, id) => ({ views: (document?.views ?? 0) + data.views[id]! }),
    ),
  ],
});
