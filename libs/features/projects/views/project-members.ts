import { ProjectCreated, ProjectJoined, ProjectLeft } from '#libs/features/projects/domain/project.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection, removeOn } from '#libs/views/projection.js';

export const ProjectMemberDocument = d.object({
  project: d.slug,
  muse: d.museId,
  joined_at: d.time,
  since: d.position,
});
export type ProjectMemberDocument = d.DocumentOf<typeof ProjectMemberDocument>;

export const memberKey = (project: string, muse: string) => `${project}:${muse}`;
type MemberEvent = { readonly data: { readonly project: string; readonly muse_id: string } };
const byMuse = ({ data: { project, muse_id } }: MemberEvent) => [memberKey(project, muse_id)];

/** Members, including founders. */
export const ProjectMembers = defineProjection('project_members', ProjectMemberDocument, {
  shape: '8655d663',
  idsBegin: 'project:',
  indexes: { byProject: ['project', 'since'], byMuse: ['muse', 'since'] },
  steps: [
    on(
      ProjectCreated,
      ({ data }) => [memberKey(data.project, data.founder)],
      (_document, { data: { project, founder: muse }, at, position }) => {
        return { project, muse, joined_at: at, since: position };
      },
    ),
    on(ProjectJoined, byMuse, (_document, { data: { project, muse_id: muse }, at, position }) => {
      return { project, muse, joined_at: at, since: position };
    }),
    removeOn(ProjectLeft, byMuse),
  ],
});
