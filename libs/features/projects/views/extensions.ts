import type { EventOf } from '#libs/domain/define.js';
import {
  ProjectCreated,
  ProjectJoined,
  ProjectLeft,
  ProjectUpdated,
  RepoVerified,
} from '#libs/features/projects/domain/project.js';
import { byActor, withActivity } from '#libs/features/identity/views/muse-activity.js';
import type { MuseDocument } from '#libs/features/identity/views/muses.js';
import { onExisting } from '#libs/views/projection.js';

interface ActorEvent {
  readonly actor: string;
  readonly at: number;
}

const actorAndNamed = ({ actor }: ActorEvent, named: string | null) =>
  named === null || named === actor ? [actor] : [actor, named];

const withOwnActivity = (muse: MuseDocument, event: ActorEvent, id: string) =>
  id === event.actor ? withActivity(muse, event) : muse;

const withFounded = (muse: MuseDocument, delta: number) => ({ ...muse, founded: muse.founded + delta });

const activeDelta = ({ status, was }: EventOf<typeof ProjectUpdated>['data']) =>
  (status === 'active' ? 1 : 0) - (was === 'active' ? 1 : 0);

export const MUSE_PROJECT_STEPS = [
  onExisting(ProjectCreated, byActor, (muse: MuseDocument, event) => withFounded(withActivity(muse, event), 1)),
  onExisting(
    ProjectUpdated,
    event => actorAndNamed(event, event.data.founder),
    (muse: MuseDocument, event, id) => {
      const updated = withOwnActivity(muse, event, id);
      return id === event.data.founder ? withFounded(updated, activeDelta(event.data)) : updated;
    },
  ),
  onExisting(
    ProjectLeft,
    ({ actor, data: { heir, muse_id } }) => [...new Set([actor, muse_id, ...(heir === null ? [] : [heir])])],
    (muse: MuseDocument, event, id) => {
      const { heir, muse_id, status } = event.data;
      const updated = withOwnActivity(muse, event, id);
      if (heir === null || status !== 'active') return updated;
      // A later identity that leaves for the founder has founded nothing.
      return withFounded(updated, id === heir ? 1 : id === muse_id ? -1 : 0);
    },
  ),
  ...[ProjectJoined, RepoVerified].map(type => onExisting(type, byActor, withActivity)),
];
