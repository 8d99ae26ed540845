import { deriveEventId, isSiblingId } from '#libs/kernel/ids.js';
import { keyId } from '#libs/issuer/issuer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { EventOf } from '#libs/domain/define.js';
import { Hire, Hired } from '#libs/features/hires/domain/hire.js';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { KeyBound, Registered, TokenIssued } from '#libs/domain/muse.js';
import { IssuerKeyAdded, IssuerKeyRetired, IssuerKeys } from '#libs/domain/service.js';
import { Views, ViewsCounted } from '#libs/features/profile/domain/views.js';
import { findHook, Webhooks, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import type { AuditState } from './audit-state.js';
import { byActor, type Condition, inStream, ruleFor, failedConditions } from './rule.js';

/** `Hired` follows from the seat: the same people, terms, time and actor, and an id derived from it. */
function checkHired(event: EventOf<typeof Hired>, facts: AuditState): string[] {
  const { hire } = event.data;
  const isNew: Condition = [facts.hire(hire).status === 'unknown', `${hire} is hired a second time.`];
  const seat = facts.seats.get(hire);
  if (!seat) return failedConditions(isNew, [false, 'No seat was filled for it.']);
  const same = canonicalJson(seat.data) === canonicalJson(event.data);
  return failedConditions(
    inStream(event, Hire.streamName(hire)),
    isNew,
    [same, 'It says something else than the seat that was filled for it.'],
    [seat.at === event.at && seat.actor === event.actor, 'Its time and actor are not those of its seat.'],
    [
      event.id === deriveEventId(`${seat.id}/hired`, event.stream, event.type, 0),
      'Its id is not derived from its seat.',
    ],
  );
}

/** Only the network of a sibling identity says which key it has. */
function checkKeySource({ authorization, data }: EventOf<typeof Registered> | EventOf<typeof KeyBound>): string[] {
  const holds = !isSiblingId(data.muse_id) || authorization.mode === 'service';
  return failedConditions([
    holds,
    'The key of a sibling identity is what its own network says, and nothing else binds one.',
  ]);
}

/** A webhook that its receiver ends, or the end of the task that it follows. The other ends are decided again. */
function checkWebhookStopped(event: EventOf<typeof WebhookStopped>, facts: AuditState): string[] {
  if (!event.decided_by.startsWith('stop-webhook@')) return [];
  const { muse_id, webhook, reason } = event.data;
  const hook = findHook(facts.webhooks(muse_id), webhook);
  return failedConditions(
    inStream(event, Webhooks.streamName(muse_id)),
    byActor(event, 'service', 'the service'),
    [hook !== undefined, `${muse_id} had no webhook ${webhook}.`],
    [hook?.stopped === null, 'The webhook had stopped.'],
    [reason !== 'removed' || hook?.form === 'a2a', 'It follows no task, so only its owner removes it.'],
  );
}

/** Events of the service that follow from the vault, from other events or from what it counted. */
export const SERVICE_RULES = [
  ruleFor(Hired, checkHired),
  ruleFor(Registered, checkKeySource),
  ruleFor(KeyBound, checkKeySource),
  ruleFor(TokenIssued, ({ data, at }) =>
    failedConditions([data.expires_at > at, 'The token had ended when it was issued.']),
  ),
  ruleFor(WebhookStopped, checkWebhookStopped),
  ruleFor(IssuerKeyAdded, (event, facts) => {
    const isNew = facts.issuerKeys().every(({ kid }) => kid !== event.data.kid);
    const { kid, public_key: key } = event.data;
    return failedConditions(
      inStream(event, IssuerKeys.streamName()),
      [isNew, `The key ${kid} was there already.`],
      [keyId(key) === kid, `The id ${kid} of the key is not its thumbprint.`],
    );
  }),
  ruleFor(IssuerKeyRetired, (event, facts) => {
    const signs = facts.issuerKeys().some(({ kid, until }) => kid === event.data.kid && until === null);
    return failedConditions(inStream(event, IssuerKeys.streamName()), [
      signs,
      `The key ${event.data.kid} did not sign then.`,
    ]);
  }),
  ruleFor(InboxHandedOut, (event, facts) => {
    const { muse_id, after, upto } = event.data;
    return failedConditions(
      inStream(event, Inbox.streamName(muse_id)),
      byActor(event, muse_id, 'its owner'),
      [facts.inbox(muse_id).upto === after, 'It begins elsewhere than where the last one ended.'],
      [upto > after, 'It ends before it begins.'],
    );
  }),
  ruleFor(ViewsCounted, event => {
    const counts = Object.values(event.data.views);
    return failedConditions(inStream(event, Views.streamName(event.at)), byActor(event, 'service', 'the service'), [
      counts.length > 0 && counts.every(count => count > 0),
      'It counts nothing.',
    ]);
  }),
];
