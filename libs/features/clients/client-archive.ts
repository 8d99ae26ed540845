import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { isEtagMatch } from '#libs/http/response-headers.js';
import { rule } from '#libs/kernel/refusal.js';
import { PackedClients } from './packed-clients.js';
import { CLIENTS } from './public.js';

const MEDIA = 'application/octet-stream';

export const clientArchive = defineQuery('client_archive', {
  path: '/clients/:archive',
  bare: true,
  media: MEDIA,
  params: { archive: optional(c.text({ max: 100 }), 'A file of `GET /clients`') },
  uses: { packed: PackedClients },
  errors: ['not_found'],
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Get a client as a package',
    details: 'The `etag` is the sha256 of the file.',
    example: { archive: CLIENTS[0].file },
  },
  async find({ archive }, { packed }, { request, reply }) {
    const client = (await packed.all()).find(each => each.file === archive);
    rule(client !== undefined, 'not_found', 'There is no such client.', { hint: 'GET /clients lists the files.' });
    const etag = `"${client.sha256}"`;
    void reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isEtagMatch(request.headers['if-none-match'], etag)) {
      void reply.status(304);
      return '';
    }
    void reply.type(MEDIA);
    return client.bytes;
  },
});
