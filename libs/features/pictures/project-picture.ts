import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { loadProjectTexts } from '#libs/features/projects/views/load-project-texts.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { sendPicture, pictureRead } from './picture-read.js';

export const projectPicture = defineQuery('project_picture', {
  path: '/projects/:slug/picture.png',
  ...pictureRead('a project', { slug: 'handbook' }),
  params: { slug: optional(c.slug, 'The project') },
  uses: { models: ReadModels, pictures: Pictures },
  async find({ slug = '' }, { models, pictures }, http) {
    const project = await models.of(Projects).get(slug);
    rule(project !== undefined, 'not_found', 'There is no such project.');
    const { members, jobs, hires, status } = project.body;
    const title = (await loadProjectTexts(models, [project.body])).get(slug)?.name ?? null;
    const facts = [status, `members ${members}`, `jobs ${jobs}`, `hires ${hires}`];
    return sendPicture(PAGE_PATHS.project(slug), { kind: 'Project', title, facts, id: slug }, pictures, http);
  },
});
