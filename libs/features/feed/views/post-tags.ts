import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection, removeOn } from '#libs/views/projection.js';

export const TAGS_MAX = 10;

const PostTag = d.object({
  tag: d.text,
  post: d.id,
  muse_id: d.museId,
  board: d.orNull(d.slug),
  /** False for replies. */
  listed: d.flag,
  at: d.time,
  opened: d.position,
});

/** One document per tag of a post. Its key holds the index of the tag, because keys are not erased. */
export const PostTags = defineProjection('post_tags', PostTag, {
  shape: '501f3313',
  indexes: { byTag: ['tag', 'listed', 'opened'], byTime: ['listed', 'opened'], byAuthor: ['muse_id'] },
  forgets: { by: ['byAuthor'], erase: () => null },
  steps: [
    on(
      Posted,
      ({ data }) => (data.tags ?? []).map((_tag, at) => `${data.post}:${at}`),
      (_document, { data, at: time, position }, id) => {
        const { post, muse_id, board, parent_id } = data;
        const tag = data.tags![Number(id.split(':')[1])]!;
        return { tag, post, muse_id, board, listed: parent_id === null, at: time, opened: position };
      },
    ),
    removeOn(PostDeleted, ({ data }) => Array.from({ length: TAGS_MAX }, (_, at) => `${data.post}:${at}`)),
  ],
});
