import { expect, test } from '@jest/globals';
import { SALES } from '#libs/service/sales.js';
import { Facts } from '#libs/audit/rules/facts.js';
import { WEBHOOK_RULES } from '#libs/audit/rules/webhook.js';
import { WebhookCreated, Webhooks, WebhookStopped } from '#libs/streams/webhook.js';
import { asEvents } from '../../given.js';

const RULES = new Map(WEBHOOK_RULES);
const OWNER = 'agent_owner00000';
const HOOK = { webhook: 100_000_000_001, muse_id: OWNER };

function problems(form: 'standard' | 'a2a', actor: string, decided_by: string): string {
  const stream = Webhooks.named(OWNER);
  const created = WebhookCreated({ ...HOOK, form, url: 'https://hook.example/', events: null, about: null });
  const removed = WebhookStopped({ ...HOOK, reason: 'removed' });
  const [first, last] = asEvents([created, removed], stream);
  const facts = new Facts(SALES);
  facts.take({ ...first!, actor: OWNER });
  return RULES.get('WebhookStopped')!({ ...last!, actor, decided_by } as never, facts).join();
}

test('a webhook is removed by its owner, and one that follows a task by the service with its end', () => {
  expect(problems('standard', OWNER, 'webhook@1')).toBe('');
  expect(problems('a2a', OWNER, 'webhook@1')).toBe('');
  expect(problems('a2a', 'service', 'stop-webhook@1')).toBe('');
  expect(problems('standard', 'service', 'stop-webhook@1')).toContain('only its owner');
  expect(problems('a2a', 'service', 'webhook@1')).toContain('only its owner');
});
