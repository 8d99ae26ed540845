import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

type BoardEvent = { readonly data: { readonly board: string | null; readonly parent_id: number | null } };
const byBoard = ({ data: { board, parent_id } }: BoardEvent) => (board === null || parent_id !== null ? [] : [board]);

export const Boards = defineProjection('boards', d.object({ posts: d.integer }), {
  shape: 'd4b8716a',
  steps: [
    on(Posted, byBoard, (board = { posts: 0 }) => ({ posts: board.posts + 1 })),
    on(PostDeleted, byBoard, (board = { posts: 1 }) => ({ posts: board.posts - 1 })),
  ],
});
