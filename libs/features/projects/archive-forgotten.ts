import { Injectable } from '@nestjs/common';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { waitForReadModels } from '#libs/documents/wait-for-read-models.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import { Clock } from '#libs/kernel/clock.js';
import { type StreamSource, becauseOf } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { Integers, type Ids } from '#libs/kernel/ids.js';
import { isEventOf } from '#libs/domain/define.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import {
  isOpenProject,
  Project,
  ProjectCreated,
  ProjectLeft,
  ProjectUpdated,
} from '#libs/features/projects/domain/project.js';
import { formatDecidedBy, serviceDecision } from '#libs/endpoints/decision.js';
import { Projects } from '#libs/features/projects/views/projects.js';

function leadersOf(project: Project): { [leader in keyof Leaders]: StreamSource<Muse> | undefined } {
  const { founder = null, coFounder = null } = project.status === 'unknown' ? {} : project;
  const muse = (id: string | null) => (id === null ? undefined : Muse.source(id));
  return { founder: muse(founder), coFounder: muse(coFounder) };
}

interface Leaders {
  readonly founder: Muse | undefined;
  readonly coFounder: Muse | undefined;
}

/** Archives an open project without a leader, so that it takes no more members and jobs. */
function archiveLeaderless(project: Project, { founder, coFounder }: Leaders, ids: Ids): Fact[] {
  if (project.status === 'unknown' || !isOpenProject(project)) return [];
  if ([founder, coFounder].some(leader => leader && !isForgottenOrLinked(leader))) return [];
  const { slug, founder: foundedBy, status: was } = project;
  const entries = { entry: ids.item(`archived/${slug}`), status_entry: ids.item(`status/${slug}`) };
  return [ProjectUpdated({ project: slug, ...entries, founder: foundedBy, status: 'archived', was })];
}

export const archiveForgotten = serviceDecision('archive-forgotten', {
  by: 'service',
  writes: [ProjectUpdated],
  decide({ own, read, context }) {
    const project = own(Project);
    const { founder, coFounder } = leadersOf(project);
    const leaders = { founder: founder && read(founder), coFounder: coFounder && read(coFounder) };
    return archiveLeaderless(project, leaders, context.ids);
  },
});

/** Archives a project when its last leader is forgotten or linked, or hands it to such a muse. */
@Injectable()
export class ArchiveForgotten implements Reaction {
  readonly name = 'archive_forgotten';
  readonly types = [Forgotten.type, Linked.type, ProjectCreated.type, ProjectUpdated.type, ProjectLeft.type];

  constructor(
    private readonly journal: Journal,
    private readonly models: ReadModels,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Forgotten, event) || isEventOf(Linked, event)) await this.archiveAll(event, event.data.muse_id);
    else await this.archive(event, (event.data as { readonly project: string }).project);
  }

  /** The documents only name the candidates; the decision reads the log. */
  private async archiveAll(event: Event, muse: string): Promise<void> {
    const models = await waitForReadModels(this.models, event.position, Projects);
    const skipper = new UnreadableSkipper();
    for (const index of ['byFounder', 'byCoFounder'])
      for await (const projects of iterateByOpening(models.of(Projects), index, muse))
        for (const { slug } of projects) await skipper.run(this.archive(event, slug));
    skipper.end();
  }

  private async archive({ id }: Event, slug: string): Promise<void> {
    const context = becauseOf(id, this.name, {
      at: this.clock.now(),
      decidedBy: formatDecidedBy(archiveForgotten),
      reason: 'no leader is left',
      integers: this.integers,
    });
    await executeCommand(this.journal, context, {
      writes: Project.source(slug),
      reads: leadersOf,
      decide: (project, leaders) => archiveLeaderless(project, leaders, context.ids),
    });
  }
}
