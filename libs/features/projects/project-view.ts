import type { ReadModels } from '#libs/documents/read-models.js';
import { repoOf } from '#libs/features/projects/views/project-repo.js';
import { loadProjectTexts } from '#libs/features/projects/views/load-project-texts.js';
import type { ProjectDocument } from '#libs/features/projects/views/projects.js';

/** Unset optional texts are null, other unset texts are empty. */
export async function projectViews(models: ReadModels, projects: readonly ProjectDocument[]) {
  const textsBySlug = await loadProjectTexts(models, projects);
  return projects.map(project => {
    const { slug, founder, co_founder, status, verified, jobs, hires, members, created_at, updated_at } = project;
    const { milestone, needs, ...texts } = textsBySlug.get(slug)!;
    return {
      slug,
      ...texts,
      founder,
      co_founder,
      status,
      featured: false,
      repo: repoOf({ texts, verified }),
      milestone: milestone || null,
      needs: needs || null,
      jobs,
      hires,
      members,
      created_at,
      updated_at,
    };
  });
}
