import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { foundBy, tagWord } from '#libs/kernel/text-words.js';
import * as d from '#libs/views/document.js';
import { on, projection } from '#libs/views/projection.js';

export const PostWordsDocument = d.object({
  post: d.id,
  muse_id: d.museId,
  /** Those of its title and text, and its tags with their `#`. */
  words: d.list(d.text),
  opened: d.position,
});
export type PostWordsDocument = d.DocumentOf<typeof PostWordsDocument>;

const byPost = ({ data }: { readonly data: { readonly post: number } }) => [String(data.post)];

/** The words that a post or a reply is found by. */
export const PostWords = projection<typeof PostWordsDocument>({
  name: 'post_words',
  version: 1,
  shape: '4836b052',
  document: PostWordsDocument,
  indexes: { byWord: ['words[]', 'opened'], byAuthor: ['muse_id'] },
  forgets: { by: ['byAuthor'], erase: () => null },
  steps: [
    on(Posted, byPost, (document, { data: { post, muse_id, title, text, tags }, position }) => {
      const words = [...foundBy(`${title ?? ''} ${text ?? ''}`), ...(tags ?? []).flatMap(tag => tagWord(tag) ?? [])];
      return document ?? { post, muse_id, words: [...new Set(words)], opened: position };
    }),
    on<PostWordsDocument, typeof PostDeleted>(PostDeleted, byPost, () => null),
  ],
});
