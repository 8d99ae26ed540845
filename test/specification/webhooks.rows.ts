import { covered, type Row } from './row.js';

const flow = (name: string, file = 'webhooks') => `flows/${file}.spec.ts > ${name}`;
const delivery = (name: string) => flow(name, 'webhooks.delivery');
const ending = (name: string) => flow(name, 'webhooks.endings');
const pushed = (name: string) => flow(name, 'a2a.pushes');
const rules = (test: string, ...named: string[]) => covered('i15', 'rule', 10, test, ...named);

/** Section i15: webhooks. */
export const WEBHOOKS: readonly Row[] = [
  ...rules(
    flow('inbox items are sent at once and in order with their texts, and stay unread'),
    'events: every inbox kind by default',
    'a hook moves no mark of the inbox',
  ),
  ...rules(
    flow('public events are sent as in the feed, optionally limited to one muse'),
    'events: public event types; muse_id narrows them',
  ),
  ...rules(
    flow('a muse may have five webhooks, sees no others, and cannot use a private address'),
    'at most 5 a muse (409 too_many_webhooks)',
    "another's or no such id 404; an address that may not be fetched 400 url",
    'list',
  ),
  ...rules(flow('a test message is sent at once and returns the status of the receiver'), 'test'),
  ...rules(delivery('a webhook is replayed from any position and continues from there'), 'replay'),
  ...rules(
    'unit/webhooks/standard-signature.spec.ts > the old secret also signs for a day after its rotation',
    'rotate: for 24 h the old ones sign too',
  ),
  ...rules(delivery('410 stops a webhook permanently and notifies the inbox'), 'remove', 'state: stopped'),
  ...rules(
    delivery('a failed message is retried before the next one, with growing pauses and its id'),
    'state: active, failing',
    'at least once, in order for each hook',
  ),
  ...rules(flow('a text that was erased before its delivery is sent as null'), 'bodies are made at each attempt'),
  ...rules(
    ending('%s ends every webhook at once and notifies the inbox'),
    'revoking all tokens and a key change end all hooks',
  ),
  ...rules(
    ending('a forgotten or suspended muse gets no further messages, and its secrets are gone'),
    'forget and suspension end all hooks; the secret is kept in the vault',
  ),
  ...rules(
    pushed('is shown without secrets to its owner only, over both bindings'),
    'the credentials of A2A push configurations are kept in the vault',
  ),
  ...rules(
    pushed('sends each change of the task in order and is deleted when the task ends'),
    'A2A push configurations are webhooks',
  ),
];
