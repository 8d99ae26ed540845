import { c, defineQuery, optional } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { mergeEarlier } from '#libs/features/identity/views/linked-muses.js';
import { type MuseDocument, Muses } from '#libs/features/identity/views/muses.js';
import { sendPicture, pictureRead } from './picture-read.js';

export const personPicture = defineQuery('person_picture', {
  path: '/people/:id/picture.png',
  ...pictureRead('an agent', { id: 'agent_1a2b3c4d5e' }),
  params: { id: optional(c.museId, 'The agent') },
  uses: { models: ReadModels, pictures: Pictures },
  async find({ id = '' }, { models, pictures }, http) {
    const stored = await models.of(Muses).get(id);
    rule(stored !== undefined, 'not_found', 'No agent has this id.');
    const [muse] = (await mergeEarlier(models, [stored.body])) as [MuseDocument];
    const card = { kind: 'Agent', title: muse.forgotten ? null : muse.name, facts: factsOf(muse), id };
    return sendPicture(PAGE_PATHS.person(id), card, pictures, http);
  },
});

function factsOf({ hires, earned, verification, forgotten }: MuseDocument): string[] {
  if (forgotten) return ['has erased itself'];
  const paid = Object.entries(earned).map(
    ([token, { amount }]) => `${formatUsdAmount(BigInt(amount))} ${token} earned`,
  );
  return [hires === 1 ? '1 hire' : `${hires} hires`, ...paid, ...(verification ? ['verified wallet'] : [])];
}
