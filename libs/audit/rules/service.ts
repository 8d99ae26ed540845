import { isSiblingId } from '#libs/kernel/ids.js';
import { keyId } from '#libs/issuer/issuer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { EventOf } from '#libs/domain/define.js';
import { EscrowFunded, Hire, Hired } from '#libs/features/hires/domain/hire.js';
import { factsOfSeat } from '#libs/features/hires/domain/seat-facts.js';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { KeyBound, Registered, TokenIssued } from '#libs/domain/muse.js';
import { IssuerKeyAdded, IssuerKeyRetired, Service } from '#libs/domain/service.js';
import { Views, ViewsCounted } from '#libs/features/identity/domain/views.js';
import { findHook, Webhooks, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import type { AuditState } from './audit-state.js';
import { byActor, type Condition, inStream, ruleFor, failedConditions } from './rule.js';

function checkHired(event: EventOf<typeof Hired>, facts: AuditState): string[] {
  const { hire } = event.data;
  const isNew: Condition = [facts.hire(hire).status === 'unknown', `The hire ${hire} already exists.`];
  const seat = facts.seats.get(hire);
  if (!seat) return failedConditions(isNew, [false, 'No seat was filled for it.']);
  const isSame = canonicalJson(factsOfSeat(seat.data)[0]!.data as object) === canonicalJson(event.data);
  return failedConditions(
    inStream(event, Hire.streamName(hire)),
    isNew,
    [isSame, 'It differs from the seat that was filled for it.'],
    [seat.at === event.at && seat.actor === event.actor, 'Its time or actor differs from its seat.'],
    [event.cause === seat.id, 'Its cause is not its seat.'],
  );
}

function checkFunded(event: EventOf<typeof EscrowFunded>, facts: AuditState): string[] {
  const { payment_info: _info, ...shown } = event.data;
  const seat = facts.seats.get(event.data.hire);
  const [, funded] = seat ? factsOfSeat(seat.data) : [];
  const { payment_info: _derived, ...expected } = (funded?.data ?? {}) as EventOf<typeof EscrowFunded>['data'];
  const isSame = canonicalJson(expected) === canonicalJson(shown);
  return failedConditions(
    inStream(event, Hire.streamName(event.data.hire)),
    [isSame, 'It differs from the escrow of the seat that was filled.'],
    [event.cause === seat?.id, 'Its cause is not its seat.'],
  );
}

function checkKeySource({ authorization, data }: EventOf<typeof Registered> | EventOf<typeof KeyBound>): string[] {
  const isAllowed = !isSiblingId(data.muse_id) || authorization.mode === 'service';
  return failedConditions([isAllowed, 'Only the network of a sibling identity can set its key.']);
}

/** Covers webhooks ended by the receiver or by their task. Other reasons are replayed. */
function checkWebhookStopped(event: EventOf<typeof WebhookStopped>, facts: AuditState): string[] {
  if (!event.decided_by.startsWith('stop-webhook@')) return [];
  const { muse_id, webhook, reason } = event.data;
  const hook = findHook(facts.webhooks(muse_id), webhook);
  return failedConditions(
    inStream(event, Webhooks.streamName(muse_id)),
    byActor(event, 'service'),
    [hook !== undefined, `${muse_id} had no webhook ${webhook}.`],
    [hook?.stopped === null, 'The webhook had already stopped.'],
    [
      reason !== 'removed' || hook?.form === 'a2a',
      'The webhook does not follow a task, so only its owner can remove it.',
    ],
  );
}

export const SERVICE_RULES = [
  ruleFor(Hired, checkHired),
  ruleFor(EscrowFunded, checkFunded),
  ruleFor(Registered, checkKeySource),
  ruleFor(KeyBound, checkKeySource),
  ruleFor(TokenIssued, ({ data, at }) =>
    failedConditions([data.expires_at > at, 'The token had already expired when it was issued.']),
  ),
  ruleFor(WebhookStopped, checkWebhookStopped),
  ruleFor(IssuerKeyAdded, (event, facts) => {
    const isNew = facts.issuerKeys().every(({ kid }) => kid !== event.data.kid);
    const { kid, public_key: key } = event.data;
    return failedConditions(
      inStream(event, Service.streamName()),
      [isNew, `The key ${kid} already exists.`],
      [keyId(key) === kid, `The id ${kid} of the key is not its thumbprint.`],
    );
  }),
  ruleFor(IssuerKeyRetired, (event, facts) => {
    const isActive = facts.issuerKeys().some(({ kid, until }) => kid === event.data.kid && until === null);
    return failedConditions(inStream(event, Service.streamName()), [
      isActive,
      `The key ${event.data.kid} was not active.`,
    ]);
  }),
  ruleFor(InboxHandedOut, (event, facts) => {
    const { muse_id, after, upto } = event.data;
    return failedConditions(
      inStream(event, Inbox.streamName(muse_id)),
      byActor(event, muse_id),
      [facts.inbox(muse_id).upto === after, 'It does not begin where the previous event ended.'],
      [upto > after, 'It ends before it begins.'],
    );
  }),
  ruleFor(ViewsCounted, event => {
    const counts = Object.values(event.data.views);
    return failedConditions(inStream(event, Views.streamName(event.at)), byActor(event, 'service'), [
      counts.length > 0 && counts.every(count => count > 0),
      'It counts no views.',
    ]);
  }),
];
