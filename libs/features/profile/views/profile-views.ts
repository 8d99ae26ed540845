import { ViewsCounted } from '#libs/features/profile/domain/views.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const ProfileViewsDocument = d.object({ views: d.integer });
export type ProfileViewsDocument = d.DocumentOf<typeof ProfileViewsDocument>;

export const ProfileViews = defineProjection<typeof ProfileViewsDocument>({
  name: 'profile_views',
  version: 1,
  shape: '065a77e2',
  document: ProfileViewsDocument,
  steps: [
    on(
      ViewsCounted,
      ({ data }) => Object.keys(data.views),
      (document, { data }, id) => ({ views: (document?.views ?? 0) + data.views[id]! }),
    ),
  ],
});
