import type { ReadModels } from '#libs/documents/read-models.js';
import { PROJECT_TEXTS, type ProjectTexts as Texts } from '#libs/features/projects/domain/project.js';
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
    projects.map(project => {
      const texts = PROJECT_TEXTS.map(name => [name, textOf(project, name)] as const);
      return [project.slug, Object.fromEntries(texts) as unknown as Texts];
    }),
  );
}
