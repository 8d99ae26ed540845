import { Injectable } from '@nestjs/common';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event } from '#libs/kernel/event.js';
import { isEventOf } from '#libs/domain/define.js';
import { Forgotten, isKnownMuse, Muse } from '#libs/domain/muse.js';
import { isOpenProject, Project, ProjectCreated, ProjectLeft, ProjectUpdated } from './domain/project.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { Projects } from './views/projects.js';

const museOf = (id: string | null) => (id === null ? undefined : Muse.source(id));
const laterOf = (muse: Muse | undefined) => museOf(muse && isKnownMuse(muse) ? muse.linkedTo : null);

/** A later identity acts for an earlier one, even if that one is forgotten. */
const isGone = (leader: Muse | undefined, later: Muse | undefined) =>
  leader === undefined || [leader, later].every(muse => !muse || muse.status === 'forgotten');

/** Archives an open project without a leader, so that it takes no more members and jobs. */
export const archiveForgotten = defineServiceCommand('archive-forgotten', {
  reason: 'no leader is left',
  events: [ProjectUpdated],
  causes: [Forgotten, ProjectCreated, ProjectUpdated, ProjectLeft],
  writes: ({ project }: { readonly project: string }) => Project.source(project),
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
      await this.archive(event, (event.data as { readonly project: string }).project);
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
        for (const { slug } of projects) await skipper.run(this.archive(event, slug));
    skipper.end();
  }

  private async archive({ id: cause }: Event, project: string): Promise<void> {
    await this.commands.execute(archiveForgotten, { project }, { cause });
  }
}
