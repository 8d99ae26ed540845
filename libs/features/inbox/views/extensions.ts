import { InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import type { ApplicationDocument } from '#libs/features/jobs/views/applications.js';
import { onExisting } from '#libs/views/projection.js';

export const APPLICATION_INBOX_STEPS = [
  onExisting(
    InboxHandedOut,
    ({ data }) => data.applications,
    (application: ApplicationDocument, { at }) => {
      const { hire, hired_on, read_at } = application;
      if (read_at !== null) return application;
      return {
        ...application,
        read_at: at,
        hired_on: hired_on.map(entry => (entry.hire === hire ? { ...entry, read_at: at } : entry)),
      };
    },
  ),
];
