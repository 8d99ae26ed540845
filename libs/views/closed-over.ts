import type { ReadModels } from '#libs/documents/read-models.js';
import { BEHIND_IDS } from '#libs/documents/range.js';
import type { Position } from '#libs/kernel/event.js';
import { applicationKey, Applications } from './applications.js';
import { type ClosingDocument, Closings } from './closings.js';

/** Open applications of one muse whose roles are looked at, the newest. */
const APPLICATIONS_MAX = 200;
/** How many closings behind a place are looked at instead. */
const CLOSINGS_MAX = 50;

/** What was closed over open applications of a muse behind one position, of all that was closed up to another one. */
interface Looked {
  readonly after: Position;
  /** Empty where too much was found to be looked at again each time: it is found anew. */
  readonly upto: Position;
  readonly closings: readonly ClosingDocument[];
}

/**
 * Where roles were closed over an open application of a muse, behind a position. Up to `upto` the documents contain the
 * log: what was found up to there is only looked at again. An application that is open no more is never open again over
 * the same closing, so nothing that was passed over comes back.
 */
export async function closingsOver(
  models: ReadModels,
  museId: string,
  after: Position,
  upto: Position,
): Promise<readonly ClosingDocument[]> {
  const { closings } = await models.goOn<Looked>(`closed over ${museId}`, async before => {
    const known = before && before.after <= after && after < before.upto ? before : { upto: after, closings: [] };
    const found = await candidates(models, museId, known.upto);
    const roles = new Set([...known.closings.map(({ role }) => role), ...found]);
    const closings = await overOpen(models, museId, after, [...roles]);
    return { after, upto: closings.length > APPLICATIONS_MAX ? '' : upto, closings };
  });
  return closings;
}

/** Among these are all roles of a muse that were closed behind a position, as far as they are looked at. */
async function candidates(models: ReadModels, museId: string, after: Position): Promise<string[]> {
  const behind = { index: 'bySince', equals: [], order: 'asc', after: [after, BEHIND_IDS] } as const;
  const closings = await models.of(Closings).find({ ...behind, limit: CLOSINGS_MAX + 1 });
  // Most often few roles were closed since the last look, which costs less than all that the muse has applied for.
  if (closings.length <= CLOSINGS_MAX) return closings.map(({ body }) => body.role);
  const newest = { index: 'byMuse', equals: [museId], order: 'desc', limit: APPLICATIONS_MAX } as const;
  return (await models.of(Applications).find(newest)).map(({ body }) => body.role);
}

/** Of some roles those that were closed behind a position, over an application that is open. */
async function overOpen(models: ReadModels, museId: string, after: Position, roles: readonly string[]) {
  const applications = await models.of(Applications).getMany(roles.map(role => applicationKey(role, museId)));
  const open = applications.map(({ body }) => body).filter(({ status }) => status === 'applied');
  const opened = new Map(open.map(application => [application.role, application.opened]));
  const closings = await models.of(Closings).getMany([...opened.keys()]);
  return closings.map(({ body }) => body).filter(({ role, since }) => since > after && since > opened.get(role)!);
}
