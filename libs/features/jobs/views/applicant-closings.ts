import { getMany } from '#libs/documents/get-many.js';
import { iteratePages } from '#libs/documents/iterate-pages.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { AFTER_ALL_IDS } from '#libs/documents/index-range.js';
import { maxPosition, type Position } from '#libs/kernel/event.js';
import { type ApplicationDocument, applicationKey, Applications } from './applications.js';
import { type ClosingDocument, Closings } from './closings.js';

/** How many closings, or applications of one muse, are looked at in one question. */
const PAGE = 100;
/** How many closings that were found are kept for the next look. */
const CACHED_MAX = 200;

/** What was closed over open applications of a muse behind one position, of all that was closed up to another one. */
interface CachedClosings {
  readonly after: Position;
  /** Empty where too much was found to be looked at again each time: it is found anew. */
  readonly upto: Position;
  readonly closings: readonly ClosingDocument[];
}

/**
 * Where roles were closed over an open application of a muse, behind a position. Who applied at the very moment of the
 * closing may stand behind it in the log: then it was closed over the application where that was made. Up to `upto` the
 * documents contain the log: what was found up to there is only looked at again. An application that is open no more is
 * never open again over the same closing, so nothing that was passed over comes back.
 */
export async function findClosings(
  models: ReadModels,
  museId: string,
  after: Position,
  upto: Position,
): Promise<readonly ClosingDocument[]> {
  const { closings } = await models.memoizeIncremental<CachedClosings>(`closed over ${museId}`, async before => {
    const known = before && before.after <= after && after < before.upto ? before : { upto: after, closings: [] };
    const found = await candidateRoles(models, museId, known.upto);
    const roles = new Set([...known.closings.map(({ role }) => role), ...found]);
    const closings = await filterOverOpen(models, museId, after, [...roles]);
    return { after, upto: closings.length > CACHED_MAX ? '' : upto, closings };
  });
  return closings;
}

/**
 * Among these are all roles of a muse that were closed behind a position: those that were closed since, or those that
 * the muse has applied for, whichever comes to its end first. Most often few were closed since the last look.
 */
async function candidateRoles(models: ReadModels, museId: string, after: Position): Promise<string[]> {
  const since = { last: ({ since }: ClosingDocument) => [since], after: [after, AFTER_ALL_IDS] };
  const closed = new RoleList(
    iteratePages(models.of(Closings), { index: 'bySince', equals: [], size: PAGE, ...since }),
  );
  const all = appliedRoles(models, museId);
  for (;;) {
    if (await closed.readPage()) return [...closed.roles, ...(await appliedRoles(models, museId, after).readAll())];
    if (await all.readPage()) return all.roles;
  }
}

/** What a muse has applied for, or behind a position, the oldest first. */
function appliedRoles(models: ReadModels, museId: string, after?: Position): RoleList {
  const opened = { last: ({ opened }: ApplicationDocument) => [opened] };
  const range = { index: 'byMuse', equals: [museId], size: PAGE, ...opened };
  const behind = after !== undefined && { after: [after, AFTER_ALL_IDS] };
  return new RoleList(iteratePages(models.of(Applications), { ...range, ...behind }));
}

/** The roles that documents are of, as far as they were read. */
class RoleList {
  readonly roles: string[] = [];

  constructor(private readonly documents: AsyncGenerator<{ readonly role: string }[]>) {}

  /** Reads a page, and answers whether it was the last. */
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

/** Of some roles those that were closed behind a position, over an application that is open. */
async function filterOverOpen(models: ReadModels, museId: string, after: Position, roles: readonly string[]) {
  const keys = roles.map(role => applicationKey(role, museId));
  const applications = await getMany(models.of(Applications), keys);
  const open = applications.map(({ body }) => body).filter(({ status }) => status === 'applied');
  const opened = new Map(open.map(application => [application.role, application.opened]));
  const closings = await getMany(models.of(Closings), [...opened.keys()]);
  return closings.map(({ body }) => closingFor(body, opened.get(body.role)!)).filter(({ since }) => since > after);
}

/** A closing as it is told to who applied where an application stands: a role that is opened again has none. */
export const closingFor = (closing: ClosingDocument, opened: Position): ClosingDocument => ({
  ...closing,
  since: maxPosition(closing.since, opened),
});
