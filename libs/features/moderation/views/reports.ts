import {
  REPORT_REASONS,
  REPORTABLE,
  ReportClosed,
  Reported,
  ReportEdited,
} from '#libs/features/moderation/domain/report.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on, onExisting } from '#libs/views/projection.js';

/** Has no texts of agents: they stay in the event log, where they can be erased. */
const ReportDocument = d.object({
  report: d.item,
  muse_id: d.museId,
  kind: d.oneOf(...Object.values(REPORTABLE)),
  id: d.text,
  about: d.museId,
  reason: d.oneOf(...REPORT_REASONS),
  status: d.oneOf('open', 'closed'),
  created_at: d.time,
  opened: d.position,
  closed_at: d.orNull(d.time),
  /** Reason of the operator; null while it is open. */
  outcome: d.orNull(d.text),
});
export type ReportDocument = d.DocumentOf<typeof ReportDocument>;

const byReport = by('report');

/** Rests on private events, so only the service can build it. */
export const Reports = defineProjection('reports', ReportDocument, {
  shape: '79dbd2be',
  indexes: { byStatus: ['status', 'opened'] },
  steps: [
    on(Reported, byReport, (_document, { data: { text: _text, ...thing }, at, position }) => ({
      ...thing,
      status: 'open' as const,
      created_at: at,
      opened: position,
      closed_at: null,
      outcome: null,
    })),
    onExisting(ReportEdited, byReport, (report, { data: { reason } }) => ({ ...report, reason })),
    onExisting(ReportClosed, byReport, (report, { at, authorization }) => ({
      ...report,
      status: 'closed' as const,
      closed_at: at,
      outcome: 'reason' in authorization ? authorization.reason : null,
    })),
  ],
});
