import { ProjectJoined } from '#libs/features/projects/domain/project.js';
import { type Notification, notifyOn } from '#libs/views/notifications.js';

export const PROJECT_NOTIFICATIONS = [
  notifyOn(ProjectJoined, ({ data: { project, muse_id: from, founder, co_founder } }) => {
    const founders = [founder, co_founder].filter(muse => muse !== null && muse !== from);
    return founders.map((muse): Notification => [muse!, 'project_joined', { project, from }]);
  }),
];
