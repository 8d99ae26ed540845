import type { ReadModels } from '#libs/documents/read-models.js';
import type { ProjectTexts as Texts } from '#libs/features/projects/domain/project.js';
import { PROJECT_TEXTS } from '#libs/features/projects/domain/project-fields.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import { ProjectTexts, textsKey } from './project-texts.js';
import type { ProjectDocument } from './projects.js';

/** By slug. Unset texts are empty, erased ones null. */
export async function loadProjectTexts(
  models: ReadModels,
  projects: readonly ProjectDocument[],
): Promise<Map<string, Texts>> {
  const keys = projects.flatMap(({ slug, authors }) => Object.values(authors).map(muse => textsKey(slug, muse)));
  const documents = await models.of(ProjectTexts).getMany([...new Set(keys)]);
  const textsByKey = new Map(documents.map(({ id, body }) => [id, body.texts]));
  const textOf = ({ slug, authors }: ProjectDocument, name: string) => {
    const author = authors[name];
    return author === undefined ? '' : (textsByKey.get(textsKey(slug, author))?.[name] ?? null);
  };
  return new Map(
    projects.map(project => [project.slug, mapMembers(PROJECT_TEXTS, (_field, name) => textOf(project, name))]),
  );
}
