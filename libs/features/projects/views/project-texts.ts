import {
  ProjectCreated,
  type ProjectTexts as Texts,
  ProjectUpdated,
  textsIn,
} from '#libs/features/projects/domain/project.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** The newest texts that one muse wrote for a project, including replaced ones. */
export const ProjectTextsDocument = d.object({ project: d.slug, muse: d.museId, texts: d.mapOf(d.orNull(d.text)) });
export type ProjectTextsDocument = d.DocumentOf<typeof ProjectTextsDocument>;

export const textsKey = (project: string, muse: string) => `${project}:${muse}`;
type ProjectTextEvent = { readonly actor: string; readonly data: Partial<Texts> & { readonly project: string } };
const byAuthor = ({ actor, data }: ProjectTextEvent) =>
  Object.keys(textsIn(data)).length === 0 ? [] : [textsKey(data.project, actor)];

const withTexts = (
  document: ProjectTextsDocument | undefined,
  { actor: muse, data }: ProjectTextEvent,
): ProjectTextsDocument => ({
  project: data.project,
  muse,
  texts: { ...document?.texts, ...textsIn(data) },
});

/** Texts by author, so that a forgotten muse's texts can be erased. */
export const ProjectTexts = defineProjection('project_texts', ProjectTextsDocument, {
  shape: 'a907fc60',
  indexes: { byMuse: ['muse'] },
  forgets: { by: ['byMuse'], erase: () => null },
  steps: [on(ProjectCreated, byAuthor, withTexts), on(ProjectUpdated, byAuthor, withTexts)],
});
