import { Injectable } from '@nestjs/common';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event } from '#libs/kernel/event.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { Forgotten, isKnownMuse, Muse } from '#libs/domain/muse.js';
import { isOpenProject, Project, ProjectCreated, ProjectLeft, ProjectUpdated } from './domain/project.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import type { ReadState } from '#libs/endpoints/follow-ups.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { Projects } from './views/projects.js';

const museOf = (id: string | null) => (id === null ? undefined : Muse.source(id));
const laterOf = (muse: Muse | undefined) => museOf(muse && isKnownMuse(muse) ? muse.linkedTo : null);

/** A later identity acts for an earlier one, even if that one is forgotten. */
const isGone = (leader: Muse | undefined, later: Muse | undefined) =>
  leader === undefined || [leader, later].every(muse => !muse || muse.status === 'forgotten');

interface LedProject {
  readonly project: string;
  /** The events do not name it. */
  readonly leader: string;
}

type NewLeaders =
  EventOf<typeof ProjectCreated>['data'] | EventOf<typeof ProjectUpdated>['data'] | EventOf<typeof ProjectLeft>['data'];

function ledProjects(event: Event): LedProject[] {
  const { project, ...data } = event.data as NewLeaders;
  const leaders = 'founder' in data ? [data.founder, data.co_founder] : [data.heir ?? data.muse_id];
  return leaders.flatMap(leader => (leader ? [{ project, leader }] : []));
}

function leadersEndedBy({ data: { muse_id } }: EventOf<typeof Forgotten>, read: ReadState): readonly string[] {
  return actingIdentities(muse_id, read(Muse.source(muse_id)));
}

/** Archives an open project without a leader, so that it takes no more members and jobs. */
export const archiveForgotten = defineServiceCommand('archive-forgotten', {
  reason: 'no leader is left',
  events: [ProjectUpdated],
  follows: {
    after: [ProjectCreated, ProjectUpdated, ProjectLeft],
    about: ledProjects,
    endsWith: {
      types: [Forgotten],
      museOf: ({ leader }) => leader,
      musesOf: (event, read) => leadersEndedBy(event as EventOf<typeof Forgotten>, read),
    },
  },
  writes: ({ project }: LedProject) => Project.source(project),
  reads(_about, state: Project) {
    const { founder = null, coFounder = null } = state.status === 'unknown' ? {} : state;
    return { founder: museOf(founder), coFounder: museOf(coFounder) };
  },
  readsNext: ({ founder, coFounder }) => ({ laterFounder: laterOf(founder), laterCoFounder: laterOf(coFounder) }),
  decide(project, { founder, coFounder, laterFounder, laterCoFounder }, _about, { ids }) {
    if (project.status === 'unknown' || !isOpenProject(project)) return [];
    if (!isGone(founder, laterFounder) || !isGone(coFounder, laterCoFounder)) return [];
    const { slug, founder: foundedBy, status: was } = project;
    const entries = { entry: ids.item(`archived/${slug}`), status_entry: ids.item(`status/${slug}`) };
    return [ProjectUpdated({ project: slug, ...entries, founder: foundedBy, status: 'archived', was })];
  },
});

/** Archives a project when its last leader is forgotten, or hands it to such a muse. */
@Injectable()
export class ArchiveForgotten implements Reaction {
  readonly name = 'archive_forgotten';
  readonly types = [Forgotten.type, ProjectCreated.type, ProjectUpdated.type, ProjectLeft.type];

  constructor(
    private readonly commands: ServiceCommands,
    private readonly models: ReadModels,
  ) {}

  async react(event: Event): Promise<void> {
    if (!isEventOf(Forgotten, event)) {
      await this.archive(event, ledProjects(event)[0]!);
      return;
    }
    const { muse_id } = event.data;
    const { state } = await this.commands.journal.load(Muse.source(muse_id), event.position);
    for (const leader of actingIdentities(muse_id, state)) await this.archiveAll(event, leader);
  }

  /** The documents only name the candidates; the decision reads the log. */
  private async archiveAll(event: Event, muse: string): Promise<void> {
    await this.models.waitUntilReached(event.position, [Projects]);
    const skipper = new UnreadableSkipper();
    for (const index of ['byFounder', 'byCoFounder'])
      for await (const projects of iterateByOpening(this.models.of(Projects), index, muse))
        for (const { slug } of projects) await skipper.run(this.archive(event, { project: slug, leader: muse }));
    skipper.end();
  }

  private async archive({ id: cause }: Event, project: LedProject): Promise<void> {
    await this.commands.execute(archiveForgotten, project, { cause });
  }
}
