import type { ReadModels } from '#libs/documents/read-models.js';
import { Items } from './items.js';

export async function findErasedPosts(
  models: Pick<ReadModels, 'of'>,
  posts: readonly (number | null | undefined)[],
): Promise<ReadonlySet<number>> {
  const ids = new Set(posts.flatMap(post => (post == null ? [] : [String(post)])));
  if (ids.size === 0) return new Set();
  const items = await models.of(Items).getMany([...ids]);
  return new Set(items.filter(({ body }) => body.said?.text == null).map(({ body }) => body.id));
}
