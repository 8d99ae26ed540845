import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { unparsed } from '#libs/values/value.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { sendPicture, pictureRead } from './picture-read.js';

export const recordPicture = defineQuery('record_picture', {
  path: '/records/:hire/picture.png',
  ...pictureRead('a hire’s record', { hire: '123456789012' }),
  params: { hire: optional(unparsed(c.id, 'number'), 'The hire') },
  uses: { models: ReadModels, pictures: Pictures },
  async find({ hire = '' }, { models, pictures }, http) {
    const record = (await models.of(Hires).get(hire))?.body;
    rule(record !== undefined, 'not_found', 'There is no such hire.');
    const title = (await models.of(Roles).get(record.role))?.body.title ?? null;
    const card = { kind: 'Signed record', title, facts: factsOf(record), id: `hire ${hire}` };
    return sendPicture(PAGE_PATHS.record(record.hire), card, pictures, http);
  },
});

function factsOf({ budget, delivery, acceptance, paid, ended, worker }: HireDocument): string[] {
  const steps = ['hired', delivery && 'delivered', acceptance && 'accepted', paid && 'paid', ended && 'ended'];
  const last = steps.findLast(step => step !== null) ?? 'hired';
  return [...(budget ? [`${budget.usd} ${budget.token}`] : []), last, worker];
}
