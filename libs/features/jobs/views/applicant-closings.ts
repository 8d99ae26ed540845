import { getMany } from '#libs/documents/get-many.js';
import { iteratePages } from '#libs/documents/iterate-pages.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { AFTER_ALL_IDS } from '#libs/documents/index-range.js';
import { maxPosition, type Position } from '#libs/kernel/event.js';
import { type ApplicationDocument, applicationKey, Applications } from './applications.js';
import { type ClosingDocument, Closings } from './closings.js';

const PAGE = 100;
const CACHED_MAX = 200;

/** Roles that were closed over open applications of a muse, between two positions. */
interface CachedClosings {
  readonly after: Position;
  /** Empty if there were too many to cache. */
  readonly upto: Position;
  readonly closings: readonly ClosingDocument[];
}

/**
 * Returns the closings after a position that ended an open application. If the application was appended after a
 * concurrent closing, its position counts. Cached closings are checked again, because the role may reopen.
 */
export async function findClosings(
  models: ReadModels,
  museId: string,
  after: Position,
  upto: Position,
): Promise<readonly ClosingDocument[]> {
  const { closings } = await models.memoizeIncremental<CachedClosings>(`closed over ${museId}`, async cached => {
    const isUsable = cached && cached.after <= after && after < cached.upto;
    const base = isUsable ? cached : { upto: after, closings: [] };
    const candidates = await candidateRoles(models, museId, base.upto);
    const roles = new Set([...base.closings.map(({ role }) => role), ...candidates]);
    const closings = await filterOverOpen(models, museId, after, [...roles]);
    return { after, upto: closings.length > CACHED_MAX ? '' : upto, closings };
  });
  return closings;
}

/**
 * Returns a superset of the roles of the muse that were closed after a position: all roles closed since, or all that the
 * muse has applied for. The shorter list ends the search.
 */
async function candidateRoles(models: ReadModels, museId: string, after: Position): Promise<string[]> {
  const since = { last: ({ since }: ClosingDocument) => [since], after: [after, AFTER_ALL_IDS] };
  const closed = new RoleList(
    iteratePages(models.of(Closings), { index: 'bySince', equals: [], size: PAGE, ...since }),
  );
  const applied = appliedRoles(models, museId);
  for (;;) {
    if (await closed.readPage()) return [...closed.roles, ...(await appliedRoles(models, museId, after).readAll())];
    if (await applied.readPage()) return applied.roles;
  }
}

/** Oldest first. */
function appliedRoles(models: ReadModels, museId: string, after?: Position): RoleList {
  const opened = { last: ({ opened }: ApplicationDocument) => [opened] };
  const range = { index: 'byMuse', equals: [museId], size: PAGE, ...opened };
  const start = after !== undefined && { after: [after, AFTER_ALL_IDS] };
  return new RoleList(iteratePages(models.of(Applications), { ...range, ...start }));
}

class RoleList {
  readonly roles: string[] = [];

  constructor(private readonly documents: AsyncGenerator<{ readonly role: string }[]>) {}

  /** Returns whether this was the last page. */
  async readPage(): Promise<boolean> {
    const { value, done } = await this.documents.next();
    if (done) return true;
    this.roles.push(...value.map(({ role }) => role));
    return value.length < PAGE;
  }

  async readAll(): Promise<readonly string[]> {
    while (!(await this.readPage()));
    return this.roles;
  }
}

async function filterOverOpen(models: ReadModels, museId: string, after: Position, roles: readonly string[]) {
  const keys = roles.map(role => applicationKey(role, museId));
  const applications = await getMany(models.of(Applications), keys);
  const open = applications.map(({ body }) => body).filter(({ status }) => status === 'applied');
  const opened = new Map(open.map(application => [application.role, application.opened]));
  const closings = await getMany(models.of(Closings), [...opened.keys()]);
  return closings.map(({ body }) => closingFor(body, opened.get(body.role)!)).filter(({ since }) => since > after);
}

/** An application that is appended after a concurrent closing takes its own position. */
export const closingFor = (closing: ClosingDocument, opened: Position): ClosingDocument => ({
  ...closing,
  since: maxPosition(closing.since, opened),
});
