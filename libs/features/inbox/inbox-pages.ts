import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { isPosition, type Position } from '#libs/kernel/event.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import { type EventOf, is } from '#libs/domain/define.js';
import { mustStillBeAllowed } from '#libs/domain/credentials.js';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { isKnown, Muse } from '#libs/domain/muse.js';
import { assertPresent } from '#libs/endpoints/muse-rules.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { applicationKey } from '#libs/features/jobs/views/applications.js';
import { INBOX_PROJECTIONS, type Item, itemsBehind } from '#libs/features/inbox/views/inbox-items.js';
import { isBehind, type Place, placeHere, placeOf, placeText } from '#libs/features/inbox/views/inbox-places.js';
import { InboxWaits } from './inbox-waits.js';

/** What is asked of an inbox. */
interface Asked {
  /** A cursor; without it the page begins where the last one ended that was handed out. */
  readonly after: string | undefined;
  /** Whether what is answered counts as handed out. */
  readonly marks: boolean;
  readonly limit: number;
  /** How long it waits for something, unix ms. */
  readonly until: number;
}

type HandedOut = EventOf<typeof InboxHandedOut>['data'];

export interface InboxPage {
  readonly from: Place;
  readonly items: readonly Item[];
  readonly more: boolean;
}

/** The answer that shows a page, and the last event of the inbox's own stream. */
interface Answered<B> {
  readonly body: B;
  readonly position: Position;
}

export const endOf = ({ from, items }: InboxPage): Place => items.at(-1) ?? from;
export const cursorOf = ({ since, name }: Place) => encodeCursor([since, name]);

/** The place that a cursor names: the beginning, or one in this inbox that was handed out, so no further than `seen`. */
function placeAt(cursor: string, museId: string, seen: Position): Place {
  const [since, name] = decodeCursor(cursor, 'after', 2).map(String) as [string, string];
  const isPlace = isPosition(since) && since <= seen && name.startsWith(`${museId}/`);
  fieldRule(isPlace || (since === '' && name === ''), 'after', 'after is no cursor of this inbox.', 'malformed');
  return { since, name };
}

/** Another request has moved the mark meanwhile: what is behind it is another page. */
class Moved extends Error {}

/** Pages of inboxes, and the mark of what was handed out. */
@Injectable()
export class InboxPages {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
    private readonly waits: InboxWaits,
  ) {}

  /**
   * Returns the next page, at once or after a wait; a repeated request gets the same page. Builds the answer before it
   * marks the page: an outage in between would lose items that are marked as handed out.
   */
  async of<B>(
    context: CommandContext,
    asked: Asked,
    gone: AbortSignal,
    build: (page: InboxPage) => Promise<B>,
  ): Promise<Answered<B>> {
    for (;;) {
      const seen = await this.models.position(...INBOX_PROJECTIONS);
      const { stream, state, ids, position } = await this.journal.load(Inbox.of(context.actor));
      const [before] = await this.journal.readAt(stream, ids.own(stream, context.requestKey), position);
      if (before && is(InboxHandedOut, before)) {
        return { body: await build(await this.again(context.actor, before.data, seen, asked.limit)), position };
      }
      const named = asked.after === undefined ? placeOf(state.upto) : placeAt(asked.after, context.actor, seen);
      const from = await placeHere(this.models, context.actor, named);
      const page = await this.behind(context.actor, from, seen, asked.limit);
      const leftMs = this.waits.isStopping ? 0 : asked.until - Date.now();
      if (gone.aborted) return { body: await build(page), position };
      if (page.items.length > 0) {
        const body = await build(page);
        const marked = asked.marks ? await this.mark(context, state, page) : position;
        if (marked !== undefined) return { body, position: marked };
      } else if (leftMs <= 0) return { body: await build(page), position };
      else {
        await this.waits.until(context.actor, seen, leftMs, gone);
        await this.mustStillBeAllowed(context);
      }
    }
  }

  /** Who has waited may have lost its key or its token meanwhile, or erased itself: it is told nothing more. */
  private async mustStillBeAllowed({ actor, authorization }: CommandContext): Promise<void> {
    const { state: muse } = await this.journal.load(Muse.of(actor));
    if (isKnown(muse)) assertPresent(muse);
    mustStillBeAllowed(muse, authorization);
  }

  private async behind(museId: string, from: Place, upto: Position, limit: number): Promise<InboxPage> {
    const items = await itemsBehind(this.models, museId, from, { upto, limit: limit + 1 });
    return { from, items: items.slice(0, limit), more: items.length > limit };
  }

  /** The page that was handed out to this very request before. */
  private async again(museId: string, said: HandedOut, seen: Position, limit: number): Promise<InboxPage> {
    const here = (text: string) => placeHere(this.models, museId, placeOf(text));
    const [from, end] = await Promise.all([here(said.after), here(said.upto)]);
    const page = await this.behind(museId, from, seen, limit);
    const items = page.items.filter(item => !isBehind(item, end));
    return { ...page, items, more: page.more || items.length < page.items.length };
  }

  /** Writes down that the items were handed out; answers where, and nothing where another request was faster. */
  private async mark(context: CommandContext, before: Inbox, page: InboxPage): Promise<Position | undefined> {
    const applications = page.items.filter(({ kind }) => kind === 'application').map(({ about }) => keyOf(about));
    const { actor } = context;
    const [after, upto] = [before.upto, placeText(endOf(page))];
    const decide = (state: Inbox) => {
      if (state.upto !== after) throw new Moved();
      return [InboxHandedOut({ muse_id: actor, after, upto, applications })];
    };
    try {
      return (await carryOut(this.journal, context, { writes: Inbox.of(actor), decide })).position;
    } catch (error) {
      if (error instanceof Moved) return undefined;
      throw error;
    }
  }
}

const keyOf = (about: Item['about']) => applicationKey(String(about['role']), String(about['from']));
