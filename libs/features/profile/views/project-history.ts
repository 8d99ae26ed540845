import { Delivered, Hired } from '#libs/features/hires/domain/hire.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import {
  PROJECT_STATUSES,
  ProjectCreated,
  ProjectJoined,
  ProjectLeft,
  ProjectUpdated,
  RepoVerified,
} from '#libs/features/projects/domain/project.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Event } from '#libs/kernel/event.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const HISTORY_KINDS = [
  'created',
  'updated',
  'joined',
  'left',
  'job',
  'hired',
  'delivered',
  'repo_verified',
  'status',
] as const;
const Kind = d.oneOf(...HISTORY_KINDS);
export type HistoryKind = d.DocumentOf<typeof Kind>;

/** `id`: the feed item of a job or hire, the hire of a delivery, or else the id of the entry. */
export const ProjectHistoryDocument = d.object({
  project: d.slug,
  id: d.item,
  kind: Kind,
  muse: d.museId,
  role: d.orNull(d.slug),
  hire: d.orNull(d.id),
  /** Set by status changes. */
  status: d.orNull(d.oneOf(...PROJECT_STATUSES)),
  at: d.time,
  since: d.position,
});
export type ProjectHistoryDocument = d.DocumentOf<typeof ProjectHistoryDocument>;

type Entry = Pick<ProjectHistoryDocument, 'project' | 'id' | 'kind' | 'muse'> & Partial<ProjectHistoryDocument>;

const keyOf = ({ project, kind, id }: Entry) => `${project}/${kind}/${id}`;

/** Adds the entries of an event; none if it belongs to no project. */
function recordOn<E extends { readonly type: string }>(type: E, entriesOf: (event: EventOf<E>) => readonly Entry[]) {
  return on<ProjectHistoryDocument, E>(
    type,
    event => entriesOf(event).map(keyOf),
    (_document, event, key) => {
      const { at, position } = event as Event;
      const entry = entriesOf(event).find(each => keyOf(each) === key)!;
      return { role: null, hire: null, status: null, ...entry, at, since: position };
    },
  );
}

type ProjectEvent = Event<string, { readonly project: string; readonly entry: number }>;
const entry = ({ actor, data: { project, entry: id } }: ProjectEvent, kind: HistoryKind): Entry[] => [
  { project, id, kind, muse: actor },
];

/** A later identity joins and leaves for an earlier one, which stays the member. */
const memberEntry = (event: EventOf<typeof ProjectJoined | typeof ProjectLeft>, kind: HistoryKind): Entry[] =>
  entry(event, kind).map(each => ({ ...each, muse: event.data.muse_id }));

/** An event with only these fields is a status entry, not also an update. */
const ONLY_STATUS = ['project', 'entry', 'founder', 'status', 'was', 'status_entry'];

function updateEntries(event: EventOf<typeof ProjectUpdated>): Entry[] {
  const { project, founder, status, status_entry: id } = event.data;
  // Attributes actions of the service to the founder whose departure caused them.
  const muse = MUSE_ID.test(event.actor) ? event.actor : founder;
  const isUpdate = Object.keys(event.data).some(name => !ONLY_STATUS.includes(name));
  return [
    ...(isUpdate ? entry(event, 'updated') : []),
    ...(id === undefined ? [] : [{ project, id, kind: 'status' as const, muse, status: status! }]),
  ];
}

type WorkData = { readonly project?: string | null };
const workEntry = ({ project }: WorkData, entry: Omit<Entry, 'project'>): Entry[] =>
  project == null ? [] : [{ project, ...entry }];

export const ProjectHistory = defineProjection('project_history', ProjectHistoryDocument, {
  shape: '80ebdc1e',
  idsBegin: 'project/',
  indexes: { byProject: ['project', 'since'], byKind: ['project', 'kind', 'since'] },
  steps: [
    recordOn(ProjectCreated, event => entry(event, 'created')),
    recordOn(ProjectUpdated, updateEntries),
    recordOn(RepoVerified, event => entry(event, 'repo_verified')),
    recordOn(ProjectJoined, event => memberEntry(event, 'joined')),
    recordOn(ProjectLeft, event => memberEntry(event, 'left')),
    recordOn(JobPosted, ({ data: { item: id, role, poster, ...data } }) =>
      workEntry(data, { id, kind: 'job', muse: resolvePosterId(poster), role }),
    ),
    recordOn(Hired, ({ data: { item: id, role, hire, worker: muse, ...data } }) =>
      workEntry(data, { id, kind: 'hired', muse, role, hire }),
    ),
    recordOn(Delivered, ({ data: { delivery, role, hire, worker: muse, ...data } }) =>
      delivery > 1 ? [] : workEntry(data, { id: hire, kind: 'delivered', muse, role, hire }),
    ),
  ],
});
