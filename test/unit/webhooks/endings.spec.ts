import { expect, test } from '@jest/globals';
import { Unavailable } from '#libs/kernel/refusal.js';
import { Forgotten } from '#libs/domain/muse.js';
import { FIRST_SECRET, WebhookCreated, Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import { WebhookSecrets } from '#libs/features/webhooks/webhook-secrets.js';
import { WebhookEndings } from '#libs/features/webhooks/webhook-endings.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { asEvents } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';

const MUSE = 'agent_hooked0000';
/** More webhooks than a stream remembers and than one page of the vault holds. */
const HOOKS = 120;

test('destroys every webhook secret of a forgotten muse, even after an interruption', async () => {
  const { journal, commands } = new InMemoryStores();
  const vault = new MemoryVault();
  const secrets = new WebhookSecrets(vault);
  const hook = { muse_id: MUSE, form: 'standard', url: 'https://one.example/', events: null, about: null } as const;
  for (let webhook = 1; webhook <= HOOKS; webhook += 1) await secrets.put({ muse: MUSE, webhook }, FIRST_SECRET);
  await secrets.put({ muse: 'agent_other00000', webhook: 1 }, FIRST_SECRET);
  const created = Array.from({ length: 3 }, (_, n) => WebhookCreated({ ...hook, webhook: n + 1 }));
  await journal.append(Webhooks.streamName(MUSE), 'none', asEvents(created, Webhooks.streamName(MUSE)));
  const [forgotten] = asEvents([Forgotten({ muse_id: MUSE, referred_by: null })]);
  const endings = new WebhookEndings(commands, secrets);
  const destroy = vault.destroy.bind(vault);
  let calls = 0;
  vault.destroy = name => {
    if ((calls += 1) === 3) throw new Unavailable('The vault cannot be reached.');
    return destroy(name);
  };
  await expect(endings.stopEnded(MUSE, forgotten!)).rejects.toThrow(Unavailable);
  await endings.stopEnded(MUSE, forgotten!);
  expect(await vault.list('webhook/', 10)).toEqual([`webhook/agent_other00000/1/${FIRST_SECRET}`]);
});
