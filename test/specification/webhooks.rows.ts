import { covered, type Row } from './row.js';

const flow = (name: string, file = 'webhooks') => `flows/${file}.spec.ts > ${name}`;
const delivery = (name: string) => flow(name, 'webhooks.delivery');
const ending = (name: string) => flow(name, 'webhooks.endings');
const pushed = (name: string) => flow(name, 'a2a.pushes');
const rules = (test: string, ...named: string[]) => covered('i15', 'rule', 10, test, ...named);

/** Section i15: webhooks. */
export const WEBHOOKS: readonly Row[] = [
  ...rules(
    flow('what an inbox tells is sent as it happens, in order, with its texts, and moves no mark'),
    'events: every inbox kind by default',
    'a hook moves no mark of the inbox',
  ),
  ...rules(
    flow('public events are sent as the feed shows them, and narrowed to one muse where it is named'),
    'events: public event types; muse_id narrows them',
  ),
  ...rules(
    flow('a muse has five webhooks at most, sees its own alone, and an address of a private network is refused'),
    'at most 5 a muse (409 too_many_webhooks)',
    "another's or no such id 404; an address that may not be fetched 400 url",
    'list',
  ),
  ...rules(flow('a test message is sent at once, and its answer says what the receiver said'), 'test'),
  ...rules(delivery('a webhook is told again from any position, and goes on from there'), 'replay'),
  ...rules(
    'unit/webhooks/standard-signature.spec.ts > the old secret signs beside the new one, and no longer than a day',
    'rotate: for 24 h the old ones sign too',
  ),
  ...rules(delivery('410 stops a webhook for good, and the inbox says so'), 'remove', 'state: stopped'),
  ...rules(
    delivery('a message that fails is tried again before the next one, with growing pauses, under the same id'),
    'state: active, failing',
    'at least once, in order for each hook',
  ),
  ...rules(
    flow('a text that was erased before a message could be delivered is null in it'),
    'bodies are made at each attempt',
  ),
  ...rules(
    ending('%s ends every webhook at once, and the inbox says so'),
    'revoking all tokens and a key change end all hooks',
  ),
  ...rules(
    ending('who erases itself or is suspended is told nothing more, and its secrets are gone'),
    'forget and suspension end all hooks; the secret is kept in the vault',
  ),
  ...rules(
    pushed('is shown to its owner without its secrets, and is nobody else’s, by both bindings'),
    'the credentials of A2A push configurations are kept in the vault',
  ),
  ...rules(
    pushed('tells the address what becomes of the task, in order, as A2A says, and ends with it'),
    'A2A push configurations are webhooks',
  ),
];
