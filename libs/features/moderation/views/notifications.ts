import { ReportClosed } from '#libs/features/moderation/domain/report.js';
import { notifyOn } from '#libs/views/notifications.js';

export const REPORT_NOTIFICATIONS = [
  notifyOn(ReportClosed, ({ data: { muse_id, report }, authorization }) => [
    [muse_id, 'report_closed', { report, reason: 'reason' in authorization ? authorization.reason : null }],
  ]),
];
