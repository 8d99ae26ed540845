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
import { onExisting } from '#libs/views/projection.js';

interface ActorEvent {
  readonly actor: string;
  readonly at: number;
}
const byActor = ({ actor }: ActorEvent) => [actor];

const actorAndNamed = ({ actor }: ActorEvent, named: string | null) =>
  named === null || named === actor ? [actor] : [actor, named];

const withActivity = (muse: MuseDocument, { actor, at }: ActorEvent, id: string) =>
  id === actor ? { ...muse, last_active_at: at } : muse;

const withFounded = (muse: MuseDocument, delta: number) => ({ ...muse, founded: muse.founded + delta });

const activeDelta = ({ status, was }: EventOf<typeof ProjectUpdated>['data']) =>
  (status === 'active' ? 1 : 0) - (was === 'active' ? 1 : 0);

/** Changes of a muse's document by project and crew events. */
export const PROJECT_STEPS = [
  onExisting(ProjectCreated, byActor, (muse: MuseDocument, event, id) => withFounded(withActivity(muse, event, id), 1)),
  onExisting(
    ProjectUpdated,
    event => actorAndNamed(event, event.data.founder),
    (muse: MuseDocument, event, id) => {
      const updated = withActivity(muse, event, id);
      return id === event.data.founder ? withFounded(updated, activeDelta(event.data)) : updated;
    },
  ),
  onExisting(
    ProjectLeft,
    ({ actor, data: { heir, muse_id } }) => [...new Set([actor, muse_id, ...(heir === null ? [] : [heir])])],
    (muse: MuseDocument, event, id) => {
      const { heir, muse_id, status } = event.data;
      const updated = withActivity(muse, event, id);
      if (heir === null || status !== 'active') return updated;
      // A later identity that leaves for the founder has founded nothing.
      return withFounded(updated, id === heir ? 1 : id === muse_id ? -1 : 0);
    },
  ),
  ...[ProjectJoined, RepoVerified, CrewCreated, CrewInvited, CrewInvitationWithdrawn, CrewJoined, CrewLeft].map(type =>
    onExisting(type, byActor, withActivity),
  ),
];
