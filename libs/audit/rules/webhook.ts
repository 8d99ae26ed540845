import {
  Webhooks,
  hookOf,
  nextSecret,
  WebhookCreated,
  WebhookMoved,
  WebhookRotated,
  WebhookStopped,
} from '#libs/streams/webhook.js';
import type { Facts } from './facts.js';
import { byActor, type Condition, inStream, on, unless } from './rule.js';

interface OfHook {
  readonly stream: string;
  readonly actor: string;
  readonly data: { readonly muse_id: string; readonly webhook: number };
}

/** The hook before the event, and what holds for whatever happens to one that is told something. */
function known({ stream, data: { muse_id, webhook } }: OfHook, facts: Facts) {
  const hook = hookOf(facts.webhooks(muse_id), webhook);
  const conditions: Condition[] = [
    inStream({ stream }, Webhooks.named(muse_id)),
    [hook !== undefined, `${muse_id} had no webhook ${webhook}.`],
  ];
  return { hook, conditions };
}

const own = (event: OfHook): Condition => byActor(event, event.data.muse_id, 'its owner');
const live = (isLive: boolean): Condition => [isLive, 'The webhook had stopped.'];

export const WEBHOOK_RULES = [
  on(WebhookCreated, (event, facts) => {
    const { muse_id, webhook } = event.data;
    const isNew = hookOf(facts.webhooks(muse_id), webhook) === undefined;
    return unless(inStream(event, Webhooks.named(muse_id)), own(event), [isNew, `${webhook} was there already.`]);
  }),
  on(WebhookRotated, (event, facts) => {
    const { hook, conditions } = known(event, facts);
    const isNext = hook === undefined || nextSecret(hook) === event.data.number;
    const next: Condition = [isNext, 'The number of its secret is not the next one.'];
    return unless(...conditions, own(event), live(hook?.stopped === null), next);
  }),
  on(WebhookMoved, (event, facts) => {
    const { hook, conditions } = known(event, facts);
    return unless(...conditions, own(event), live(hook?.stopped === null));
  }),
  on(WebhookStopped, (event, facts) => {
    const { hook, conditions } = known(event, facts);
    const { muse_id, reason } = event.data;
    const isOwn = reason === 'removed' && !(hook?.form === 'a2a' && isStoppedByService(event));
    const by = byActor(event, isOwn ? muse_id : 'service', isOwn ? 'its owner' : 'the service');
    return unless(...conditions, by, live(isOwn || hook?.stopped === null));
  }),
];

/** One that follows a task is removed with its end. */
const isStoppedByService = ({ decided_by }: { readonly decided_by: string }) => decided_by.startsWith('stop-webhook@');
