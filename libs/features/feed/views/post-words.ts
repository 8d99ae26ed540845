import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Delivered } from '#libs/features/hires/domain/hire.js';
import { extractIndexTerms, toTagTerm } from '#libs/kernel/search-terms.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, onExisting, defineProjection, removeOn } from '#libs/views/projection.js';

export const PostWordsDocument = d.object({
  post: d.id,
  muse_id: d.museId,
  /** Hire that it was delivered on. */
  hire: d.orNull(d.id),
  delivered: d.flag,
  /** Words of title and text, and tags with their `#`. */
  words: d.list(d.text),
  opened: d.position,
});
export type PostWordsDocument = d.DocumentOf<typeof PostWordsDocument>;

export const PostWords = defineProjection('post_words', PostWordsDocument, {
  shape: 'e08e6e01',
  indexes: {
    byWord: ['words[]', 'opened'],
    byDeliveredWord: ['delivered?', 'words[]', 'opened'],
    byAuthor: ['muse_id'],
  },
  forgets: { by: ['byAuthor'], erase: () => null },
  steps: [
    on(Posted, by('post'), (document, { data: { post, muse_id, title, text, tags }, position }) => {
      const words = [
        ...extractIndexTerms(`${title ?? ''} ${text ?? ''}`),
        ...(tags ?? []).flatMap(tag => toTagTerm(tag) ?? []),
      ];
      return document ?? { post, muse_id, hire: null, delivered: false, words: [...new Set(words)], opened: position };
    }),
    onExisting(
      Delivered,
      ({ data: { post } }) => (post === null ? [] : [String(post)]),
      (document, { data: { hire } }) => ({ ...document, hire, delivered: true }),
    ),
    removeOn(PostDeleted, by('post')),
  ],
});
