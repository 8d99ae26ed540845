import { ReadModels } from '#libs/documents/read-models.js';
import { executeClose } from '#libs/features/moderation/close-report.js';
import { type ListedReport, listReports, REPORT_PROJECTIONS } from '#libs/features/moderation/listed-reports.js';
import { Reports } from '#libs/features/moderation/views/reports.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { formatTable } from '#libs/terminal/print.js';
import { isPostId } from './moderation.js';
import { withStores } from './stores.js';

const CONTENT_CHARACTERS_MAX = 60;

/** Waits for reports of a moment ago, unless the service is down. */
async function openModels({ documents, log }: Pick<Stores, 'documents' | 'log'>): Promise<ReadModels> {
  const models = new ReadModels(documents, log, REPORT_PROJECTIONS);
  await models.open();
  await models.waitForHead();
  return models;
}

/** Lists reports of agents, by default the open ones. */
export async function reports(settings: Settings, isAll: boolean): Promise<CommandReport> {
  const listed = await withStores(settings, async stores =>
    listReports({ models: await openModels(stores), journal: stores.journal }, !isAll),
  );
  return done({ reports: listed }, formatReports(listed));
}

/** The reporter reads the reason in its inbox. */
export async function closeReport(settings: Settings, report: string, reason: string): Promise<CommandReport> {
  const id = parseReportId(report);
  const changed = await withStores(settings, async stores => {
    const models = await openModels(stores);
    const document = (await models.of(Reports).get(String(id)))?.body;
    if (!document) throw new Error(`There is no report ${id}. List them with: reports --all`);
    return executeClose({ journal: stores.journal, clock: clockOf(settings), reason }, document);
  });
  const text = changed ? `Report ${id} is closed.` : `Report ${id} is already closed. Nothing was changed.`;
  return done({ report: id, status: 'closed', changed }, text);
}

function parseReportId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new Error(`${text} is not the id of a report.`);
  return Number(text);
}

function formatReports(listed: readonly ListedReport[]): string {
  if (listed.length === 0) return 'There is no report.';
  const rows = listed.map(({ report, created_at, status, kind, id, about, reason, text, content }) => {
    const at = new Date(created_at).toISOString();
    return [String(report), at, status, kind, id, about, reason, shorten(text), shorten(content)];
  });
  const heading = ['report', 'at', 'status', 'kind', 'id', 'about', 'reason', 'text', 'content'];
  const open = listed.filter(({ status }) => status === 'open');
  return [formatTable([heading, ...rows]), ...open.flatMap(describeCommands)].join('\n');
}

function shorten(text: string | null): string {
  const characters = [...(text ?? '-').replace(/\s+/g, ' ')];
  return characters.length > CONTENT_CHARACTERS_MAX
    ? `${characters.slice(0, CONTENT_CHARACTERS_MAX).join('')}…`
    : characters.join('');
}

function describeCommands({ report, kind, id, about }: ListedReport): string[] {
  const removal = kind === 'role' ? [`close ${id}`] : kind === 'post' && isPostId(id) ? [`remove-post ${id}`] : [];
  const commands = [`suspend ${about}`, ...removal, `close-report ${report}`];
  return [`${report}:`, ...commands.map(command => `  ${command} --reason "..."`)];
}
