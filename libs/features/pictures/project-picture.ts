import { optional } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { read } from '#libs/endpoints/read.js';
import { textsOf } from '#libs/features/projects/views/project-said.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { answerPicture, pictureOf } from './answer-picture.js';

export const projectPicture = read('project_picture', {
  path: '/projects/:slug/picture.png',
  ...pictureOf('a project', { slug: 'handbook' }),
  params: { slug: optional(c.slug, 'The project') },
  uses: { models: ReadModels, pictures: Pictures },
  async find({ slug = '' }, { models, pictures }, http) {
    const found = await models.of(Projects).get(slug);
    rule(found !== undefined, 'not_found', 'There is no such project.');
    const { members, jobs, hires, status } = found.body;
    const title = (await textsOf(models, [found.body])).get(slug)?.name ?? null;
    const facts = [status, `members ${members}`, `jobs ${jobs}`, `hires ${hires}`];
    return answerPicture(PAGE_PATHS.project(slug), { kind: 'Project', title, facts, id: slug }, pictures, http);
  },
});
