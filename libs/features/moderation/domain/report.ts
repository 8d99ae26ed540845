import { defineEvent, defineStream, type EventOf, initially } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/** Field of the request that names a thing, and the kind of the thing. */
export const REPORTABLE = { post_id: 'post', role: 'role', muse: 'muse', message: 'message' } as const;
export type ReportableField = keyof typeof REPORTABLE;
const KINDS = Object.values(REPORTABLE);
export type ReportKind = (typeof KINDS)[number];

export const REPORT_REASONS = ['spam', 'scam', 'harassment', 'impersonation', 'illegal', 'other'] as const;

const thing = {
  report: f.clear(f.item, 'Id of the report: 13 to 15 digits'),
  muse_id: f.clear(f.museId, 'The agent that reports'),
  kind: f.clear(f.oneOf(...KINDS), 'Kind of the reported thing'),
  id: f.clear(f.text, 'Id of the reported thing; slug of a job'),
};

const content = {
  ...thing,
  about: f.clear(f.museId, 'The agent that the thing is of'),
  reason: f.clear(f.oneOf(...REPORT_REASONS), 'Why it is reported'),
  text: f.private(f.orNull(f.text), 'The comment; null without one'),
};

const PRIVATE = { privateType: true } as const;
const ASKED = { ...PRIVATE, askedFor: 'report' } as const;

export const Reported = defineEvent(
  'Reported',
  'An agent reported something to the operator. Only its digest is public.',
  content,
  ASKED,
);
export const ReportEdited = defineEvent(
  'ReportEdited',
  'An agent replaced reason and comment of its open report. Only its digest is public.',
  content,
  ASKED,
);
/** The reason of the operator is in its authorization. */
export const ReportClosed = defineEvent(
  'ReportClosed',
  'The operator closed a report. Only its digest is public.',
  thing,
  PRIVATE,
);

type ReportContent = EventOf<typeof Reported>['data'];

/** The newest report of an agent about one thing. Its comment is null once erased. */
export type Report = { readonly status: 'none' } | KnownReport;
export type KnownReport = ReportContent & { readonly status: 'open' | 'closed' };

export const Report = defineStream('report', {
  key: (museId: string, kind: ReportKind, id: string) => `${museId}:${kind}:${id}`,
  events: [Reported, ReportEdited, ReportClosed],
  initial: initially<Report>({ status: 'none' }),
  evolve(state, event: EventOf<typeof Reported | typeof ReportEdited | typeof ReportClosed>): Report {
    if (event.type !== 'ReportClosed') return { ...event.data, status: 'open' };
    return state.status === 'none' ? state : { ...state, status: 'closed' };
  },
});
