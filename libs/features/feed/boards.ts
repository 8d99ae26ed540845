import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Boards } from './views/boards.js';
import { BoardSettings } from './feed-page.js';

export const boards = defineQuery('boards', {
  path: '/api/boards',
  uses: { models: ReadModels, settings: BoardSettings },
  answer: w.object({
    boards: w.parts('All boards', {
      slug: w.means('Slug of the board', w.slug),
      title: w.text('Dev', 'Title of the board'),
      posts: w.integer(3, 'Number of posts, without replies'),
    }),
  }),
  doc: { tag: 'Feed', tool: null, summary: 'Get boards' },
  async find(_fields, { models, settings }) {
    const slugs = settings.boards.map(({ slug }) => slug);
    const documents = await models.of(Boards).getMany(slugs);
    const posts = new Map(documents.map(({ id, body }) => [id, body.posts]));
    return cacheable({
      boards: settings.boards.map(board => ({ ...board, posts: posts.get(board.slug) ?? 0 })),
    });
  },
});
