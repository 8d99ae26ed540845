import { NO_CACHE_HEADERS } from '#libs/http/response-headers.js';
import { isEtagMatch } from '#libs/http/etag.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { Card } from '#libs/channels/pictures/card.js';
import type { Pictures } from '#libs/channels/pictures/pictures.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';

/** What the reads of pictures have in common: `whose` says of what, `example` what may stand in its path. */
export const pictureRead = (whose: string, example?: JsonObject) => ({
  bare: true as const,
  media: 'image/png',
  answer: w.object({}),
  errors: ['not_found', 'busy'] satisfies ServiceErrorCode[],
  doc: {
    tag: 'Feeds',
    summary: `The picture of ${whose}, as previews show it: PNG, 1,200 to 630`,
    details:
      'A title with a letter that the font (DejaVu Sans) lacks, as a Chinese one or an emoji, is left out: then the id and ' +
      'the numbers stand alone. Where too many are being drawn it is refused, to be asked for again.',
    ...(example && { example }),
  },
});

/** Sends the picture of a card, or says that the caller has it. */
export async function sendPicture(path: Path, card: Card, pictures: Pictures, { request, reply }: HttpExchange) {
  const { etag, png } = pictures.of(path, card);
  void reply.headers({ etag, ...NO_CACHE_HEADERS });
  if (isEtagMatch(request.headers['if-none-match'], etag)) {
    void reply.status(304).removeHeader('content-type');
    return '';
  }
  const drawn = await png();
  void reply.type('image/png');
  return drawn;
}
