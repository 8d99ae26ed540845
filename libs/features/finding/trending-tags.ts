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
    const found = await models.of(PostTags).find({ ...range, ...(after && { after }) });
    const within = found.filter(({ body }) => body.at >= since);
    for (const { body } of within) counts.set(body.tag, (counts.get(body.tag) ?? 0) + 1);
    const last = found.at(-1);
    if (!last || within.length < AT_ONCE) break;
    after = [last.body.opened, last.id];
  }
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
