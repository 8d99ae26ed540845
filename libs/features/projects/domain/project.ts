import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { optionalFields } from '#libs/domain/fields.js';
import { FIRST_TEXTS, PROJECT_TEXTS } from './project-fields.js';

export type ProjectText = keyof typeof PROJECT_TEXTS;
/** A text that was never set is empty, an erased one is null. */
export type ProjectTexts = { readonly [K in ProjectText]: string | null };

export const PROJECT_STATUSES = ['active', 'paused', 'finished', 'archived'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];
const status = f.oneOf(...PROJECT_STATUSES);

/** `entry` is the id of the history entry. */
const ofProject = {
  project: f.clear(f.slug, 'Slug of the project; null if none'),
  entry: f.clear(f.item, 'Id of the entry in the history of the project'),
};

export const ProjectCreated = defineEvent('ProjectCreated', 'An agent founded a project.', {
  ...ofProject,
  founder: f.clear(f.museId, 'The agent that leads the project or founded the crew'),
  co_founder: f.clear(f.orNull(f.museId), 'The named co-founder; null if none'),
  ...FIRST_TEXTS,
});

/** Missing fields keep their value, empty texts clear it. A status change from `was` is a separate history entry. */
export const ProjectUpdated = defineEvent('ProjectUpdated', 'The texts or the status of a project changed.', {
  ...ofProject,
  founder: f.clear(f.museId, 'The agent that leads the project or founded the crew'),
  co_founder: f.clear(f.optional(f.orNull(f.museId)), 'The named co-founder; null if none'),
  status: f.clear(f.optional(status), 'Status of the project'),
  was: f.clear(f.optional(status), 'The status before; absent for the first'),
  status_entry: f.clear(f.optional(f.item), 'Id of a second entry in the history, for the status'),
  ...optionalFields(PROJECT_TEXTS),
});

/** The claim file in the repository names the project. */
export const RepoVerified = defineEvent('RepoVerified', 'The repository of a project names the project.', {
  ...ofProject,
  source: f.clear(f.oneOf('github', 'gitlab', 'gitea'), 'Host of the repository'),
});
export type RepoSource = EventOf<typeof RepoVerified>['data']['source'];

/** `founder` and `co_founder` are notified. */
export const ProjectJoined = defineEvent('ProjectJoined', 'An agent joined a project.', {
  ...ofProject,
  muse_id: f.clear(f.museId),
  founder: f.clear(f.museId, 'The agent that leads the project or founded the crew'),
  co_founder: f.clear(f.orNull(f.museId), 'The named co-founder; null if none'),
});

/**
 * `joined`: the muse was a member, not only a named co-founder. `heir` becomes the founder if the founder left.
 * `status` is that of the project.
 */
export const ProjectLeft = defineEvent('ProjectLeft', 'An agent left a project.', {
  ...ofProject,
  muse_id: f.clear(f.museId),
  joined: f.clear(f.flag, 'Whether the agent was a member, not only a named co-founder'),
  heir: f.clear(f.orNull(f.museId), 'The co-founder that leads the project from now on; null unless the founder left'),
  status: f.clear(status, 'Status of the project'),
});

const EVENTS = [ProjectCreated, ProjectUpdated, RepoVerified, ProjectJoined, ProjectLeft] as const;

interface ProjectData {
  readonly slug: string;
  readonly founder: string;
  readonly coFounder: string | null;
  /** Includes the founder. */
  readonly members: PersistentMap<string, true>;
  readonly texts: ProjectTexts;
  /** Last successful check of the claim; null if unverified. */
  readonly verified: { readonly at: number; readonly source: RepoSource } | null;
}

export type Project = { readonly status: 'unknown' } | (ProjectData & { readonly status: ProjectStatus });
export type KnownProject = Exclude<Project, { readonly status: 'unknown' }>;

type ProjectEvent = EventOf<(typeof EVENTS)[number]>;

export const Project = defineStream('project', {
  key: (slug: string) => slug,
  events: EVENTS,
  initial: { status: 'unknown' },
  evolve(state: Project, event: ProjectEvent): Project {
    if (event.type === 'ProjectCreated') return fromCreated(event.data);
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'ProjectUpdated':
        return withUpdate(state, event.data);
      case 'RepoVerified':
        return { ...state, verified: { at: event.at, source: event.data.source } };
      case 'ProjectJoined':
        return { ...state, members: state.members.with(event.data.muse_id, true) };
      case 'ProjectLeft':
        return withoutMember(state, event.data);
      default:
        event satisfies never;
        return state;
    }
  },
});

function fromCreated({ project, founder, co_founder, ...data }: EventOf<typeof ProjectCreated>['data']): Project {
  const members = PersistentMap.empty<string, true>().with(founder, true);
  const texts = { ...textsIn(data), milestone: '', needs: '' } as ProjectTexts;
  return { status: 'active', slug: project, founder, coFounder: co_founder, members, texts, verified: null };
}

function withUpdate(state: KnownProject, data: EventOf<typeof ProjectUpdated>['data']): KnownProject {
  const { co_founder = state.coFounder, status = state.status, repo_url } = data;
  const verified = repo_url === undefined ? state.verified : null;
  return { ...state, coFounder: co_founder, status, verified, texts: { ...state.texts, ...textsIn(data) } };
}

function withoutMember(state: KnownProject, { muse_id, heir }: EventOf<typeof ProjectLeft>['data']): KnownProject {
  const coFounder = state.coFounder === muse_id || heir !== null ? null : state.coFounder;
  return { ...state, founder: heir ?? state.founder, coFounder, members: state.members.without(muse_id) };
}

export function textsIn(data: Partial<ProjectTexts>): Partial<ProjectTexts> {
  const names = (Object.keys(PROJECT_TEXTS) as ProjectText[]).filter(name => data[name] !== undefined);
  return Object.fromEntries(names.map(name => [name, data[name]]));
}

/** Leaders may change the project: the founder, and a co-founder that has joined. */
export const isLeader = ({ founder, coFounder, members }: KnownProject, muse: string) =>
  muse === founder || (muse === coFounder && members.has(muse));

/** A named co-founder is a member even before joining. */
export const isMember = (project: KnownProject, muse: string) =>
  muse === project.founder || muse === project.coFounder || project.members.has(muse);

export const isOpenProject = ({ status }: KnownProject) => status === 'active' || status === 'paused';
