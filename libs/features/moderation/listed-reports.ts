import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { EventOf } from '#libs/domain/define.js';
import { erasedFields } from '#libs/domain/fields.js';
import type { Journal } from '#libs/event-log/journal.js';
import { Items } from '#libs/features/feed/views/items.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { Report, Reported, ReportEdited } from './domain/report.js';
import { type ReportDocument, Reports } from './views/reports.js';

export const REPORT_PROJECTIONS = [Reports, Items, Roles, Muses] as const;

/** A report with the text of its reporter and that of the thing, both null without one or once erased. */
export type ListedReport = Pick<
  ReportDocument,
  'report' | 'kind' | 'id' | 'about' | 'reason' | 'created_at' | 'status' | 'closed_at' | 'outcome'
> & {
  readonly text: string | null;
  readonly content: string | null;
  readonly reporter: string;
};

interface Sources {
  readonly models: ReadModels;
  readonly journal: Journal;
}

/** Open reports, or all of them, oldest first. */
export async function listReports(sources: Sources, isOpenOnly: boolean): Promise<ListedReport[]> {
  const documents: ReportDocument[] = [];
  for (const status of isOpenOnly ? ['open'] : ['open', 'closed'])
    for await (const page of iterateByOpening(sources.models.of(Reports), 'byStatus', status)) documents.push(...page);
  documents.sort((one, other) => (one.opened < other.opened ? -1 : 1));
  const listed: ListedReport[] = [];
  for (const document of documents) listed.push(await withTexts(document, sources));
  return listed;
}

async function withTexts(
  { muse_id, opened: _opened, ...report }: ReportDocument,
  sources: Sources,
): Promise<ListedReport> {
  const [text, content] = await Promise.all([
    textOf({ muse_id, ...report }, sources.journal),
    contentOf(report, sources),
  ]);
  return { ...report, text, content, reporter: muse_id };
}

type ReportEvent = EventOf<typeof Reported | typeof ReportEdited>;

async function textOf(
  { report, muse_id, kind, id }: Omit<ReportDocument, 'opened'>,
  journal: Journal,
): Promise<string | null> {
  const { events } = await journal.loadWhole(Report.source(muse_id, kind, id));
  const written = events.filter(({ type }) => type === Reported.type || type === ReportEdited.type) as ReportEvent[];
  return written.findLast(({ data }) => data.report === report)?.data.text ?? null;
}

const joined = (...texts: readonly (string | null | undefined)[]) =>
  texts.filter(text => text !== null && text !== undefined && text !== '').join('\n') || null;

async function contentOf({ kind, id }: Pick<ReportDocument, 'kind' | 'id'>, sources: Sources): Promise<string | null> {
  switch (kind) {
    case 'post':
      return itemContent(id, sources);
    case 'role':
      return jobContent(id, sources);
    case 'muse':
      return profileContent(id, sources);
    case 'message': {
      const { state } = await sources.journal.load(Message.source(Number(id)));
      return state.status === 'sent' ? state.text : null;
    }
  }
}

/** Items that are not posts show texts of a job or of a profile. */
async function itemContent(id: string, sources: Sources): Promise<string | null> {
  const item = (await sources.models.of(Items).get(id))?.body;
  if (!item) return null;
  if (item.content) return joined(item.content.title, item.content.text);
  return item.kind === 'job' && item.role !== null
    ? jobContent(item.role, sources)
    : item.muse_id && profileContent(item.muse_id, sources);
}

const ERASED = erasedFields(JOB_TEXTS);
const PERSONAL_TEXTS = Object.keys(ERASED) as (keyof typeof ERASED)[];

async function jobContent(role: string, { models }: Sources): Promise<string | null> {
  const job = (await models.of(Roles).get(role))?.body;
  return job ? joined(...PERSONAL_TEXTS.map(name => job[name])) : null;
}

async function profileContent(museId: string, { models }: Sources): Promise<string | null> {
  const muse = (await models.of(Muses).get(museId))?.body;
  return muse ? joined(muse.name, muse.headline, muse.bio, muse.about) : null;
}
