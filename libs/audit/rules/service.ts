import { eventId, isSiblingId } from '#libs/kernel/ids.js';
import { keyId } from '#libs/issuer/issuer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { EventOf } from '#libs/domain/define.js';
import { Hire, Hired } from '#libs/features/hires/domain/hire.js';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { KeyBound, Registered, TokenIssued } from '#libs/domain/muse.js';
import { IssuerKeyAdded, IssuerKeyRetired, IssuerKeys } from '#libs/domain/service.js';
import { Views, ViewsCounted } from '#libs/features/profile/domain/views.js';
import { hookOf, Webhooks, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import type { Facts } from './facts.js';
import { byActor, type Condition, inStream, on, unless } from './rule.js';

/** `Hired` follows from the seat: the same people, terms, time and actor, and an id derived from it. */
function hired(event: EventOf<typeof Hired>, facts: Facts): string[] {
  const { hire } = event.data;
  const isNew: Condition = [facts.hire(hire).status === 'unknown', `${hire} is hired a second time.`];
  const seat = facts.seats.get(hire);
  if (!seat) return unless(isNew, [false, 'No seat was filled for it.']);
  const same = canonicalJson(seat.data) === canonicalJson(event.data);
  return unless(
    inStream(event, Hire.named(hire)),
    isNew,
    [same, 'It says something else than the seat that was filled for it.'],
    [seat.at === event.at && seat.actor === event.actor, 'Its time and actor are not those of its seat.'],
    [event.id === eventId(`${seat.id}/hired`, event.stream, event.type, 0), 'Its id is not derived from its seat.'],
  );
}

/** Only the network of a sibling identity says which key it has. */
function vouchedFor({ authorization, data }: EventOf<typeof Registered> | EventOf<typeof KeyBound>): string[] {
  const holds = !isSiblingId(data.muse_id) || authorization.mode === 'service';
  return unless([holds, 'The key of a sibling identity is what its own network says, and nothing else binds one.']);
}

/** A webhook that its receiver ends, or the end of the task that it follows. The other ends are decided again. */
function stopped(event: EventOf<typeof WebhookStopped>, facts: Facts): string[] {
  if (!event.decided_by.startsWith('stop-webhook@')) return [];
  const { muse_id, webhook, reason } = event.data;
  const hook = hookOf(facts.webhooks(muse_id), webhook);
  return unless(
    inStream(event, Webhooks.named(muse_id)),
    byActor(event, 'service', 'the service'),
    [hook !== undefined, `${muse_id} had no webhook ${webhook}.`],
    [hook?.stopped === null, 'The webhook had stopped.'],
    [reason !== 'removed' || hook?.form === 'a2a', 'It follows no task, so only its owner removes it.'],
  );
}

/** Events of the service that follow from the vault, from other events or from what it counted. */
export const SERVICE_RULES = [
  on(Hired, hired),
  on(Registered, vouchedFor),
  on(KeyBound, vouchedFor),
  on(TokenIssued, ({ data, at }) => unless([data.expires_at > at, 'The token had ended when it was issued.'])),
  on(WebhookStopped, stopped),
  on(IssuerKeyAdded, (event, facts) => {
    const isNew = facts.issuerKeys().every(({ kid }) => kid !== event.data.kid);
    const { kid, public_key: key } = event.data;
    return unless(
      inStream(event, IssuerKeys.named()),
      [isNew, `The key ${kid} was there already.`],
      [keyId(key) === kid, `The id ${kid} of the key is not its thumbprint.`],
    );
  }),
  on(IssuerKeyRetired, (event, facts) => {
    const signs = facts.issuerKeys().some(({ kid, until }) => kid === event.data.kid && until === null);
    return unless(inStream(event, IssuerKeys.named()), [signs, `The key ${event.data.kid} did not sign then.`]);
  }),
  on(InboxHandedOut, (event, facts) => {
    const { muse_id, after, upto } = event.data;
    return unless(
      inStream(event, Inbox.named(muse_id)),
      byActor(event, muse_id, 'its owner'),
      [facts.inbox(muse_id).upto === after, 'It begins elsewhere than where the last one ended.'],
      [upto > after, 'It ends before it begins.'],
    );
  }),
  on(ViewsCounted, event => {
    const counts = Object.values(event.data.views);
    return unless(inStream(event, Views.named(event.at)), byActor(event, 'service', 'the service'), [
      counts.length > 0 && counts.every(count => count > 0),
      'It counts nothing.',
    ]);
  }),
];
