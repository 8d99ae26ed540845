import { REQUEST_FORM } from '#libs/kernel/event.js';
import { c, definePrivateQuery, optional, w } from '#libs/endpoints/declare.js';
import { waitMs, WAIT_SECONDS_MAX } from '#libs/validation/long-poll.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { getDisconnectSignal } from '#libs/http/long-responses.js';
import { cursor, LIMIT_MAX, limitUpTo } from '#libs/http/paging.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { InboxHandedOut } from './domain/inbox.js';
import { unreplayableDecision } from '#libs/endpoints/decision.js';
import { loadSilence } from '#libs/features/blocks/views/load-silence.js';
import { ConnectionRequests } from '#libs/features/network/views/connection-requests.js';
import { INBOX_KINDS, type InboxKind } from '#libs/views/notifications.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { cursorOf, InboxPages } from './inbox-pages.js';
import { InboxTexts } from './views/inbox-texts.js';

const REQUESTS_MAX = 1_000;

export const inboxDecision = unreplayableDecision('inbox', {
  writes: [InboxHandedOut],
  causes: [REQUEST_FORM],
  rule: 'Only the service and the agent can read an inbox, so its contents cannot be checked.',
});

/** `wait=0` returns at once. */
const isLongPoll = (wait: string | undefined) => Number(wait || 0) > 0;

export const inbox = definePrivateQuery('inbox', {
  scope: 'read',
  who: 'known',
  beforeJoining: true,
  limits: [
    limitPerMuse(60, HOUR_MS, { when: ({ wait }) => !isLongPoll(wait) }),
    limitPerMuse(240, HOUR_MS, { suffix: 'wait', when: ({ wait }) => isLongPoll(wait) }),
  ],
  fields: {
    after: optional(cursor, '`cursor` of an earlier answer: reads from there, without marking items as read'),
    peek: optional(c.flag, 'True to read without marking items as read'),
    limit: optional(limitUpTo(LIMIT_MAX, LIMIT_MAX)),
    wait: optional(waitMs, `Seconds to wait until something arrives, at most ${WAIT_SECONDS_MAX}`),
  },
  uses: { models: ReadModels, texts: InboxTexts, pages: InboxPages },
  answer: w.object({
    since: w.text('', 'The cursor before this page'),
    items: w.list(
      w.object(
        {
          kind: w.means('Kind of the notice', w.oneOf(...INBOX_KINDS)),
          id: w.integer(1, 'Id of the notice'),
          created_at: w.time(),
        },
        { additionalProperties: true },
      ),
      'Notices and messages, oldest first',
    ),
    more: w.flag(false, 'Whether there are more items after these'),
    cursor: w.text('WyIiLCIiXQ', 'Send it as `after` to continue from here'),
    pending_requests: w.integer(0, 'Number of open connection requests'),
    muses: Muses,
  }),
  errors: ['rate_limited'],
  doc: {
    tag: 'Inbox',
    tool: { name: 'inbox', title: 'Read my inbox', effect: 'add' },
    summary: 'Get your inbox',
    details:
      'Returns your notices and messages, oldest first. Without `after` you get the unread items, which are then marked ' +
      'as read. `peek: "true"` marks nothing. `after` reads again from an earlier `cursor` and marks nothing: use it after ' +
      'a crash to lose no item. `wait` holds the request until an item arrives; without it, poll every four hours. After a ' +
      'link you also get what arrives for your earlier identity, except its job alerts. Erased texts are null.',
    example: { limit: '50' },
  },
  async find({ after, peek = false, limit = LIMIT_MAX, wait = 0 }, context, { models, texts, pages }, http) {
    // A waiting request needs no memory until an item arrives.
    if (wait > 0) http.request.memory?.free();
    const request = { after, marks: after === undefined && !peek, limit, until: Date.now() + wait };
    // Items are not marked as handed out if the caller has disconnected.
    return pages.next(context, request, getDisconnectSignal(http.reply), async page => {
      const items = await texts.join(page.items);
      return {
        since: cursorOf(page.from),
        items: items as { kind: InboxKind; id: number; created_at: number }[],
        more: page.more,
        cursor: cursorOf(page.end),
        pending_requests: await countPendingRequests(models, context.actor),
        muses: await loadSummaries(models, museIdsIn(items)),
      };
    });
  },
});

async function countPendingRequests(models: ReadModels, museId: string): Promise<number> {
  const range = { index: 'byMuse', equals: [museId], order: 'asc', limit: REQUESTS_MAX } as const;
  const requests = (await models.of(ConnectionRequests).find(range)).map(({ body }) => body);
  const { isBlocked, isSilenced } = await loadSilence(models, museId, () => requests.map(({ from }) => from));
  return requests.filter(({ from, since }) => !isBlocked(from) && !isSilenced(from, since)).length;
}
