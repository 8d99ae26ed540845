import type { ReadModels } from '#libs/documents/read-models.js';
import type { Position } from '#libs/kernel/event.js';
import { PLACE_SEPARATOR } from '#libs/features/inbox/domain/inbox.js';
import { Alerts } from '#libs/features/profile/views/alerts.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { closingFor } from '#libs/features/jobs/views/applicant-closings.js';
import { type ClosingDocument, Closings } from '#libs/features/jobs/views/closings.js';
import { InboxItems } from './inbox.js';
import { roleSkillKey, RoleSkills } from '#libs/features/jobs/views/role-skills.js';

/** A place in an inbox: where the log says it, and the item's own name. Places are compared as texts. */
export interface Place {
  readonly since: Position;
  readonly name: string;
}

/** Before everything in an inbox. */
const BEGINNING: Place = { since: '', name: '' };

export const isAfter = (one: Place, other: Place) =>
  one.since === other.since ? one.name > other.name : one.since > other.since;

/** A place as the log and cursors say it. */
export const placeText = ({ since, name }: Place) => (since === '' ? '' : `${since}${PLACE_SEPARATOR}${name}`);

export function parsePlace(text: string): Place {
  const at = text.indexOf(PLACE_SEPARATOR);
  return at < 0 ? BEGINNING : { since: text.slice(0, at), name: text.slice(at + 1) };
}

/** What items are called: by the event that makes them, or by their role. */
const [CLOSED, ALERT] = ['closed', 'job_alert'];
/** In front of an event, so that it sorts before the position that stood there in names of earlier builds. */
const EVENT_PREFIX = '!';
/** A role that is open again may be closed again, which is another item. */
export const closedName = (museId: string, { role, event }: Pick<ClosingDocument, 'role' | 'event'>) =>
  `${museId}/${CLOSED}/${EVENT_PREFIX}${event}/${applicationKey(role, museId)}`;
export const alertName = (museId: string, role: string) => `${museId}/${ALERT}/${role}`;

/**
 * Where the item stands that a place names: positions are another log's once the events were restored into another
 * store. A place whose item is not found stays what it is.
 */
export async function resolvePlace(models: ReadModels, museId: string, place: Place): Promise<Place> {
  const { since, name } = place;
  if (since === '') return place;
  const own = await models.of(InboxItems).get(name);
  if (own) return { since: own.body.since, name };
  const about = name.slice(name.lastIndexOf('/') + 1);
  switch (name.split('/')[1]) {
    case CLOSED:
      return (await findClosing(models, museId, name, about)) ?? place;
    case ALERT:
      return (await findAlert(models, museId, about)) ?? place;
    default:
      return place;
  }
}

/** Where a role was closed, if it was not closed otherwise since. */
async function findClosing(models: ReadModels, museId: string, name: string, about: string): Promise<Place | null> {
  const role = about.slice(0, -applicationKey('', museId).length);
  const closing = (await models.of(Closings).get(role))?.body;
  if (!closing || closedName(museId, closing) !== name) return null;
  const application = await models.of(Applications).get(applicationKey(role, museId));
  return application ? { since: closingFor(closing, application.body.opened).since, name } : null;
}

/** Where a role was posted with a skill that a muse wants to hear of. */
async function findAlert(models: ReadModels, museId: string, role: string): Promise<Place | null> {
  const skills = Object.keys((await models.of(Alerts).get(museId))?.body.since ?? {});
  const [found] = await models.of(RoleSkills).getMany(skills.map(skill => roleSkillKey(skill, role)));
  return found ? { since: found.body.since, name: alertName(museId, role) } : null;
}
