import type { ReadModels } from '#libs/documents/read-models.js';
import type { HireDocument } from '#libs/features/hires/views/hires.js';
import { excerptOf, Items } from '#libs/features/feed/views/items.js';
import { deliveryAddress } from '#libs/features/hires/views/positions.js';
import * as w from '#libs/views/shapes/answer-schema.js';

export const Delivery = w.object({
  hire: w.id,
  post: w.orNull(w.id),
  url: w.orNull(w.text('https://example.com/manual-fr', 'For a post, a path of this service')),
  excerpt: w.orNull(w.text('Bonjour', 'The beginning of the text of a post; null for an address')),
  digest: w.orNull(w.digest),
});

export async function loadDeliveries(models: ReadModels, hires: readonly HireDocument[]) {
  const delivered = hires.flatMap(({ hire, delivery }) => (delivery ? [{ hire, ...delivery }] : []));
  const posts = delivered.flatMap(({ post }) => (post === null ? [] : [String(post)]));
  const texts = new Map((await models.of(Items).getMany(posts)).map(({ id, body }) => [id, body.said?.text ?? null]));
  const erased = new Set([...texts].filter(([, text]) => text === null).map(([id]) => Number(id)));
  return delivered.map(({ hire, post, url, digest }) => ({
    hire,
    post,
    url: deliveryAddress({ post, url }, erased),
    excerpt: excerptOf(texts.get(String(post)) ?? null),
    digest,
  }));
}
