import type { ReadModels } from '#libs/documents/read-models.js';
import type { Position } from '#libs/kernel/event.js';
import { PLACE_SEPARATOR } from '#libs/features/inbox/domain/inbox.js';
import { Alerts } from '#libs/features/identity/views/alerts.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { closingFor } from '#libs/features/jobs/views/applicant-closings.js';
import { type ClosingDocument, Closings } from '#libs/features/jobs/views/closings.js';
import { InboxItems } from './inbox.js';
import { roleSkillKey, RoleSkills } from '#libs/features/jobs/views/role-skills.js';

/** Position and item name. Places are ordered as text. */
export interface Place {
  readonly since: Position;
  readonly name: string;
}

const BEGINNING: Place = { since: '', name: '' };

export const isAfter = (a: Place, b: Place) => (a.since === b.since ? a.name > b.name : a.since > b.since);

export const placeText = ({ since, name }: Place) => (since === '' ? '' : `${since}${PLACE_SEPARATOR}${name}`);

export function parsePlace(text: string): Place {
  const at = text.indexOf(PLACE_SEPARATOR);
  return at < 0 ? BEGINNING : { since: text.slice(0, at), name: text.slice(at + 1) };
}

/** Kinds whose item name ends with the role instead of an event. */
const [CLOSED, ALERT] = ['closed', 'job_alert'];
/** Sorts before digits. */
const EVENT_PREFIX = '!';
/** A role may be closed more than once, so the name holds the event. */
export const closedName = (museId: string, { role, event }: Pick<ClosingDocument, 'role' | 'event'>) =>
  `${museId}/${CLOSED}/${EVENT_PREFIX}${event}/${applicationKey(role, museId)}`;
export const alertName = (museId: string, role: string) => `${museId}/${ALERT}/${role}`;

/**
 * Finds the current position of an item by its name: positions differ after a restore into another store. Returns the
 * place unchanged if the item is gone.
 */
export async function resolvePlace(models: ReadModels, place: Place): Promise<Place> {
  const { since, name } = place;
  if (since === '') return place;
  const item = await models.of(InboxItems).get(name);
  if (item) return { since: item.body.since, name };
  const about = name.slice(name.lastIndexOf('/') + 1);
  const [museId = '', kind] = name.split('/');
  switch (kind) {
    case CLOSED:
      return (await findClosing(models, museId, name, about)) ?? place;
    case ALERT:
      return (await findAlert(models, museId, about)) ?? place;
    default:
      return place;
  }
}

/** Null if the role was closed again since. */
async function findClosing(models: ReadModels, museId: string, name: string, about: string): Promise<Place | null> {
  const role = about.slice(0, -applicationKey('', museId).length);
  const closing = (await models.of(Closings).get(role))?.body;
  if (!closing || closedName(museId, closing) !== name) return null;
  const application = await models.of(Applications).get(applicationKey(role, museId));
  return application ? { since: closingFor(closing, application.body.opened).since, name } : null;
}

async function findAlert(models: ReadModels, museId: string, role: string): Promise<Place | null> {
  const skills = Object.keys((await models.of(Alerts).get(museId))?.body.since ?? {});
  const [match] = await models.of(RoleSkills).getMany(skills.map(skill => roleSkillKey(skill, role)));
  return match ? { since: match.body.since, name: alertName(museId, role) } : null;
}
