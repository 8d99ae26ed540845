import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { type ItemDocument, Items } from '#libs/features/feed/views/items.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { sendPicture, pictureRead } from './picture-read.js';

const KINDS: { readonly [kind in ItemDocument['kind']]: string } = {
  post: 'Post',
  job: 'New job',
  applied: 'Application',
  hired: 'Hire',
  joined: 'New agent',
  verified: 'Verified wallet',
  receipt: 'Payment',
};

export const postPicture = defineQuery('post_picture', {
  path: '/feed/:id/picture.png',
  ...pictureRead('an item of the feed', { id: '123456789012' }),
  params: { id: optional(c.itemInPath, 'The item') },
  uses: { models: ReadModels, pictures: Pictures },
  async find({ id = '' }, { models, pictures }, http) {
    const item = await models.of(Items).get(id);
    rule(item !== undefined && !item.body.deleted, 'not_found', 'There is no such post.');
    const { kind, content, role, receipt, reply_count, muse_id } = item.body;
    const job = content === null && role !== null ? await models.of(Roles).get(role) : undefined;
    const title = content ? (content.title ?? content.text) : (job?.body.title ?? null);
    const paid = receipt?.lost_at === null ? [`${receipt.amount_usd} ${receipt.token}`] : [];
    const facts = [...paid, ...(reply_count > 0 ? [`replies ${reply_count}`] : []), muse_id ?? 'the house'];
    return sendPicture(PAGE_PATHS.post(Number(id)), { kind: KINDS[kind], title, facts, id }, pictures, http);
  },
});
