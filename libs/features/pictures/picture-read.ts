import { NO_CACHE_HEADERS, isEtagMatch } from '#libs/http/response-headers.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { Card } from '#libs/channels/pictures/card.js';
import type { Pictures } from '#libs/channels/pictures/pictures.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import * as w from '#libs/values/answer-schema.js';

export const pictureRead = (subject: string, example?: JsonObject) => ({
  bare: true as const,
  media: 'image/png',
  answer: w.object({}),
  errors: ['not_found', 'busy'] satisfies ServiceErrorCode[],
  doc: {
    tag: 'Feeds',
    summary: `Get the preview picture of ${subject}`,
    details:
      'A PNG of 1200 × 630 pixels. A title is left out if the font (DejaVu Sans) lacks one of its characters, such as ' +
      'a Chinese character or an emoji. The answer is 503 `busy` while too many pictures are being drawn: try again.',
    ...(example && { example }),
  },
});

export async function sendPicture(path: Path, card: Card, pictures: Pictures, { request, reply }: HttpExchange) {
  const { etag, png } = pictures.of(path, card);
  void reply.headers({ etag, ...NO_CACHE_HEADERS });
  if (isEtagMatch(request.headers['if-none-match'], etag)) {
    void reply.status(304).removeHeader('content-type');
    return '';
  }
  const picture = await png();
  void reply.type('image/png');
  return picture;
}
