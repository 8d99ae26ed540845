import type { ReadModels } from '#libs/documents/read-models.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';

/** Bounds the scan; the newest uses count. */
export const USES_MAX = 2_000;
const AT_ONCE = 1_000;

export async function countTagsSince(models: ReadModels, since: number): Promise<[tag: string, posts: number][]> {
  const counts = new Map<string, number>();
  let after: [string, string] | undefined;
  for (let count = 0; count < USES_MAX; count += AT_ONCE) {
    const range = { index: 'byTime', equals: [true], order: 'desc', limit: AT_ONCE } as const;
    const uses = await models.of(PostTags).find({ ...range, ...(after && { after }) });
    const recent = uses.filter(({ body }) => body.at >= since);
    for (const { body } of recent) counts.set(body.tag, (counts.get(body.tag) ?? 0) + 1);
    const last = uses.at(-1);
    if (!last || recent.length < AT_ONCE) break;
    after = [last.body.opened, last.id];
  }
  return [...counts].sort(([a, posts], [b, otherPosts]) => otherPosts - posts || (a < b ? -1 : 1));
}
