import type { ReadModels } from '#libs/documents/read-models.js';
import { CrewMembers } from '#libs/features/crews/views/crew-members.js';
import { Crews } from '#libs/features/crews/views/crews.js';
import { ProjectMembers } from '#libs/features/projects/views/project-members.js';
import { loadProjectTexts } from '#libs/features/projects/views/load-project-texts.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { LIST_MAX } from './muse-lists.js';

interface Membership {
  readonly slug: string;
  readonly name: string | null;
}

const toMemberships = (slugs: readonly string[], names: ReadonlyMap<string, string | null>): Membership[] =>
  slugs.map(slug => ({ slug, name: names.get(slug) ?? null }));

export async function loadMemberships(models: ReadModels, museId: string) {
  const newest = { index: 'byMuse', order: 'desc', limit: LIST_MAX } as const;
  const [crews, projects] = await Promise.all([
    models.of(CrewMembers).find({ ...newest, equals: [museId, true] }),
    models.of(ProjectMembers).find({ ...newest, equals: [museId] }),
  ]);
  const [crewSlugs, projectSlugs] = [crews.map(({ body }) => body.crew), projects.map(({ body }) => body.project)];
  const [crewDocuments, projectDocuments] = await Promise.all([
    models.of(Crews).getMany(crewSlugs),
    models.of(Projects).getMany(projectSlugs),
  ]);
  const texts = await loadProjectTexts(
    models,
    projectDocuments.map(({ body }) => body),
  );
  return {
    crews: toMemberships(crewSlugs, new Map(crewDocuments.map(({ id, body }) => [id, body.name]))),
    projects: toMemberships(projectSlugs, new Map([...texts].map(([slug, { name }]) => [slug, name]))),
  };
}
