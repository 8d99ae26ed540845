import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { isPosition, type Position } from '#libs/kernel/event.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { assertCredentialsValid, getBearerTokenHint } from '#libs/domain/access-ends.js';
import { findTokenLimits } from '#libs/domain/token-scope.js';
import { Inbox, InboxHandedOut } from './domain/inbox.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { assertPresent } from '#libs/features/identity/domain/muse-rules.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { applicationKey } from '#libs/features/jobs/views/applications.js';
import { INBOX_PROJECTIONS, type InboxItem, loadItemsAfter } from './views/inbox-items.js';
import { isAfter, type Place, resolvePlace, parsePlace, placeText } from './views/inbox-places.js';
import { findEarlier } from '#libs/features/identity/views/linked-pairs.js';
import { InboxWaits } from './inbox-waits.js';

interface InboxRequest {
  /** A cursor; undefined to start after the last item that was handed out. */
  readonly after: string | undefined;
  /** Whether the returned items count as handed out. */
  readonly marks: boolean;
  readonly limit: number;
  /** Unix ms. */
  readonly until: number;
}

type HandedOut = EventOf<typeof InboxHandedOut>['data'];

export interface InboxPage {
  readonly from: Place;
  readonly items: readonly InboxItem[];
  /** Up to where it was read. Passes silenced items too: the log would show blocks if their number made a difference. */
  readonly end: Place;
  readonly more: boolean;
}

/** `position` is that of the last event in the inbox stream. */
interface InboxAnswer<B> {
  readonly body: B;
  readonly position: Position;
}

export const cursorOf = ({ since, name }: Place) => encodeCursor([since, name]);

/** Accepts the beginning, or a place up to `seen` in an inbox of these identities. */
function decodePlace(cursor: string, museIds: readonly (string | undefined)[], seen: Position): Place {
  const [since, name] = decodeCursor(cursor, 'after', 2).map(String) as [string, string];
  const isPlace = isPosition(since) && since <= seen && museIds.includes(name.split('/')[0]);
  fieldRule(
    isPlace || (since === '' && name === ''),
    'after',
    '`after` is not a cursor of your inbox. Send the cursor of an earlier answer.',
    'malformed',
  );
  return { since, name };
}

/** A concurrent request has moved the mark, so the page is no longer the next one. */
class MarkMovedError extends Error {}

@Injectable()
export class InboxPages {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
    private readonly waits: InboxWaits,
  ) {}

  /**
   * Returns the next page, at once or after a wait; a repeated request gets the same page. Builds the answer before
   * it marks the page: an outage in between would lose items that are marked as handed out.
   */
  async next<B>(
    context: CommandContext,
    request: InboxRequest,
    disconnected: AbortSignal,
    build: (page: InboxPage) => Promise<B>,
  ): Promise<InboxAnswer<B>> {
    const marks = request.marks && !(await this.isReadOnly(context));
    for (;;) {
      const seen = await this.models.position(...INBOX_PROJECTIONS);
      const { stream, state, ids, position } = await this.journal.load(Inbox.source(context.actor));
      const [previous] = await this.journal.readAt(
        stream,
        ids.findRequestRevisions(stream, context.requestKey),
        position,
      );
      if (previous && isEventOf(InboxHandedOut, previous)) {
        return {
          body: await build(await this.repeatPage(context.actor, previous.data, seen, request.limit)),
          position,
        };
      }
      const from = await this.findStart(request, state, context.actor, seen);
      const page = await this.readAfter(context.actor, from, seen, request.limit);
      const leftMs = this.waits.isStopping ? 0 : request.until - Date.now();
      if (disconnected.aborted) return { body: await build(page), position };
      if (page.items.length > 0 || leftMs <= 0) {
        const body = await build(page);
        const marked = marks && page.end !== page.from ? await this.moveMark(context, state, page) : position;
        if (marked !== undefined) return { body, position: marked };
      } else {
        await this.waits.waitFor(context.actor, seen, leftMs, disconnected);
        await this.assertStillAllowed(context);
      }
    }
  }

  /** A token of scope `read` moves no mark. */
  private async isReadOnly({ actor, authorization }: CommandContext): Promise<boolean> {
    const tokenHint = getBearerTokenHint(authorization);
    if (tokenHint === null) return false;
    const { state: muse } = await this.journal.load(Muse.source(actor));
    return findTokenLimits(muse, tokenHint)?.scope === 'read';
  }

  private async findStart({ after }: InboxRequest, { upto }: Inbox, museId: string, seen: Position): Promise<Place> {
    if (after === undefined) return resolvePlace(this.models, parsePlace(upto));
    const link = await findEarlier(this.models, museId);
    return resolvePlace(this.models, decodePlace(after, [museId, link?.earlier], seen));
  }

  /** The caller may have lost its key or token, or erased itself, during the wait. */
  private async assertStillAllowed({ actor, authorization, at }: CommandContext): Promise<void> {
    const { state: muse } = await this.journal.load(Muse.source(actor));
    if (isKnownMuse(muse)) assertPresent(muse);
    assertCredentialsValid(muse, authorization, at);
  }

  private async readAfter(museId: string, from: Place, upto: Position, limit: number): Promise<InboxPage> {
    const range = { upto, limit: limit + 1 };
    const all = await loadItemsAfter(this.models, museId, from, { ...range, keepsSilenced: true });
    const isWhole = all.length <= limit;
    const isHeard = ({ isSilenced }: InboxItem) => !isSilenced;
    const heard = isWhole || all.every(isHeard) ? all : await loadItemsAfter(this.models, museId, from, range);
    const items = heard.filter(isHeard).slice(0, limit);
    const end = (isWhole ? undefined : items.at(-1)) ?? all.at(-1) ?? from;
    return { from, items, end, more: heard.length > limit };
  }

  private async repeatPage(museId: string, handedOut: HandedOut, seen: Position, limit: number): Promise<InboxPage> {
    const resolve = (text: string) => resolvePlace(this.models, parsePlace(text));
    const [from, end] = await Promise.all([resolve(handedOut.after), resolve(handedOut.upto)]);
    const page = await this.readAfter(museId, from, seen, limit);
    const items = page.items.filter(item => !isAfter(item, end));
    return { ...page, items, more: page.more || items.length < page.items.length };
  }

  /** Returns undefined if a concurrent request has moved the mark first. */
  private async moveMark(context: CommandContext, inbox: Inbox, page: InboxPage): Promise<Position | undefined> {
    const applications = page.items
      .filter(({ kind }) => kind === 'application')
      .map(({ about }) => applicationKeyOf(about));
    const { actor } = context;
    const [after, upto] = [inbox.upto, placeText(page.end)];
    const decide = (state: Inbox) => {
      if (state.upto !== after) throw new MarkMovedError();
      return [InboxHandedOut({ muse_id: actor, after, upto, applications })];
    };
    try {
      return (await executeCommand(this.journal, context, { writes: Inbox.source(actor), decide })).position;
    } catch (error) {
      if (error instanceof MarkMovedError) return undefined;
      throw error;
    }
  }
}

const applicationKeyOf = (about: InboxItem['about']) => applicationKey(String(about['role']), String(about['from']));
