import { UNCACHED } from '#libs/http/answer-headers.js';
import { matches } from '#libs/http/etag.js';
import type { Code } from '#libs/kernel/codes.js';
import type { Card } from '#libs/pictures/card.js';
import type { Pictures } from '#libs/pictures/pictures.js';
import type { Http } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';

/** What every picture of a page has in common: `doc` says whose it is. */
export const PICTURE = { bare: true, media: 'image/png', answer: w.object({}) } as const;
export const PICTURE_ERRORS: readonly Code[] = ['not_found', 'busy'];

export const pictureDoc = (of: string) => ({
  tag: 'Feeds',
  summary: `The picture of ${of}, as previews show it: PNG, 1,200 to 630`,
  details:
    'A title with a letter that the font (DejaVu Sans) lacks, as a Chinese one or an emoji, is left out: then the id and ' +
    'the numbers stand alone. Where too many are being drawn it is refused, to be asked for again.',
});

/** Sends the picture of a card, or says that the caller has it. */
export async function answerPicture(path: string, card: Card, pictures: Pictures, { request, reply }: Http) {
  const etag = pictures.etagOf(card);
  void reply.headers({ etag, ...UNCACHED });
  if (matches(request.headers['if-none-match'], etag)) {
    void reply.status(304).removeHeader('content-type');
    return '';
  }
  const { png } = await pictures.of(path, card);
  void reply.type(PICTURE.media);
  return png;
}
