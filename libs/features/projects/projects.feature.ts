import { feature } from '#libs/endpoints/feature.js';
import { archiveForgotten, ArchiveForgotten } from './archive-forgotten.js';
import { projectJoin } from './project-join.js';
import { projectLeave } from './project-leave.js';
import { projectUpdate } from './project-update.js';
import { project } from './project.js';
import { RepoCheck } from './repo-check.js';
import { RepositoryClaims } from './repository-claims.js';

export const projectsFeature = feature('projects', {
  commands: [project, projectUpdate, projectJoin, projectLeave],
  reactions: [ArchiveForgotten],
  decisions: [archiveForgotten],
  providers: [RepositoryClaims, RepoCheck],
});
