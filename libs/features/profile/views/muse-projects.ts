import {
  CrewCreated,
  CrewInvitationWithdrawn,
  CrewInvited,
  CrewJoined,
  CrewLeft,
} from '#libs/features/crews/domain/crew.js';
import type { EventOf } from '#libs/domain/define.js';
import {
  ProjectCreated,
  ProjectJoined,
  ProjectLeft,
  ProjectUpdated,
  RepoVerified,
} from '#libs/features/projects/domain/project.js';
import type { MuseDocument } from './muses.js';
import { change } from '#libs/views/projection.js';

interface Acted {
  readonly actor: string;
  readonly at: number;
}
const byActor = ({ actor }: Acted) => [actor];

/** Whom an event names besides who acted. */
const withNamed = ({ actor }: Acted, named: string | null) =>
  named === null || named === actor ? [actor] : [actor, named];

const active = (muse: MuseDocument, { actor, at }: Acted, id: string) =>
  id === actor ? { ...muse, last_active_at: at } : muse;

const founded = (muse: MuseDocument, more: number) => ({ ...muse, founded: muse.founded + more });

/** How many more active projects there are after an update. */
const activated = ({ status, was }: EventOf<typeof ProjectUpdated>['data']) =>
  (status === 'active' ? 1 : 0) - (was === 'active' ? 1 : 0);

/** What projects and crews change in the document of a muse. */
export const PROJECT_STEPS = [
  change(ProjectCreated, byActor, (muse: MuseDocument, event, id) => founded(active(muse, event, id), 1)),
  change(
    ProjectUpdated,
    event => withNamed(event, event.data.founder),
    (muse: MuseDocument, event, id) => {
      const acted = active(muse, event, id);
      return id === event.data.founder ? founded(acted, activated(event.data)) : acted;
    },
  ),
  change(
    ProjectLeft,
    event => withNamed(event, event.data.heir),
    (muse: MuseDocument, event, id) => {
      const { heir, status } = event.data;
      const acted = active(muse, event, id);
      return heir !== null && status === 'active' ? founded(acted, id === heir ? 1 : -1) : acted;
    },
  ),
  ...[ProjectJoined, RepoVerified, CrewCreated, CrewInvited, CrewInvitationWithdrawn, CrewJoined, CrewLeft].map(type =>
    change(type, byActor, active),
  ),
];
