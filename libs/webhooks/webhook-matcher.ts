import { Injectable } from '@nestjs/common';
import { getMany } from '#libs/documents/get-many.js';
import { iterateByOpening, iteratePages } from '#libs/documents/iterate-pages.js';
import type { Collection } from '#libs/documents/document-store.port.js';
import { AFTER_ALL_IDS } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Alerts } from '#libs/features/profile/views/alerts.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import { type InboxDocument, InboxItems } from '#libs/features/inbox/views/inbox.js';
import { RoleSkills } from '#libs/features/jobs/views/role-skills.js';
import {
  isSubscribedTo,
  type LiveHook,
  namesOfKind,
  typesOf,
  type WebhooksDocument,
  WebhooksView,
} from '#libs/features/webhooks/views/webhooks.js';
import { matchesEvent } from './webhook-outbox.js';

/** How many events of the log are looked at in one question. */
const PAGE_SIZE = 500;

type HookCallback = (muse: string, hook: LiveHook) => void;

/** Who is told of what is found. */
interface MatchListener {
  /** Of those that begin anew, before `tell` is told of any. */
  readonly onReplay: HookCallback;
  readonly onMatch: HookCallback;
  /** Is waited for at each page; what it throws ends the look. */
  readonly onPage: () => Promise<void>;
}

/** Which hooks there may be something for between two positions: one too many costs a look, one too few a message. */
@Injectable()
export class WebhookMatcher {
  /** The hooks that are told of public events, by muse, and up to where the log was asked for their changes. */
  private readonly listeners = new Map<string, readonly LiveHook[]>();
  private changedAt: Position = LOG_START;

  constructor(
    private readonly models: ReadModels,
    private readonly log: EventLog,
  ) {}

  /** Another process may have looked meanwhile: hooks are asked for anew. */
  reset(): void {
    this.listeners.clear();
    this.changedAt = LOG_START;
  }

  async match(from: Position, to: Position, finder: MatchListener): Promise<void> {
    for (const { muse, hooks } of await this.readChanged(finder))
      for (const hook of hooks) if (hook.since > from && hook.after < hook.since) finder.onReplay(muse, hook);
    if (this.changedAt === LOG_START) return;
    await this.matchInboxItems(from, to, finder);
    await this.matchClosings(from, to, finder);
    await this.matchNewRoles(from, to, finder);
    await this.matchEvents(from, to, finder);
  }

  /** The documents that have changed since the last look; those that listen to public events are kept. */
  private async readChanged({ onPage: goOn }: MatchListener): Promise<WebhooksDocument[]> {
    const all: WebhooksDocument[] = [];
    for await (const page of this.changedPages()) {
      await goOn();
      for (const document of page) {
        const { muse, hooks, changed } = document;
        const listening = hooks.filter(hook => typesOf(hook).length > 0);
        if (listening.length > 0) this.listeners.set(muse, listening);
        else this.listeners.delete(muse);
        this.changedAt = changed;
        all.push(document);
      }
    }
    return all;
  }

  private changedPages() {
    const documents = this.models.of(WebhooksView);
    const after = [this.changedAt, AFTER_ALL_IDS];
    return iteratePages(documents, { index: 'byChange', equals: [], last: ({ changed }) => [changed], after });
  }

  private async matchInboxItems(from: Position, to: Position, finder: MatchListener): Promise<void> {
    for await (const page of pagesAfter(this.models.of(InboxItems), from)) {
      await this.matchKinds(
        page.map(({ muse, kind }) => [muse, kind] as const),
        finder,
      );
      await this.matchLateApplications(page, finder);
      if (page.at(-1)!.since > to) return;
    }
  }

  /** Those who have applied for a role at the moment at which it was closed, and stand behind that. */
  private async matchLateApplications(page: readonly InboxDocument[], finder: MatchListener): Promise<void> {
    const applied = page.filter(({ kind }) => kind === 'application').map(({ about }) => about);
    const closings = await getMany(this.models.of(Closings), [...new Set(applied.map(({ role }) => String(role)))]);
    const closed = new Set(closings.map(({ id }) => id));
    const late = applied.filter(({ role }) => closed.has(String(role)));
    await this.matchKinds(
      late.map(({ from }) => [String(from), 'closed'] as const),
      finder,
    );
  }

  /** Those with an application for a role that was closed. */
  private async matchClosings(from: Position, to: Position, finder: MatchListener): Promise<void> {
    for await (const page of pagesAfter(this.models.of(Closings), from)) {
      for (const { role } of page)
        for await (const applications of iterateByOpening(this.models.of(Applications), 'byRole', role)) {
          const open = applications.filter(({ status }) => status === 'applied');
          await this.matchKinds(
            open.map(({ muse_id }) => [muse_id, 'closed'] as const),
            finder,
          );
        }
      if (page.at(-1)!.since > to) return;
    }
  }

  /** Those that want to hear of roles which ask for a skill. */
  private async matchNewRoles(from: Position, to: Position, finder: MatchListener): Promise<void> {
    const skills = new Set<string>();
    for await (const page of pagesAfter(this.models.of(RoleSkills), from)) {
      await finder.onPage();
      for (const { skill } of page) skills.add(skill);
      if (page.at(-1)!.since > to) break;
    }
    if (skills.size === 0) return;
    for (const name of namesOfKind('job_alert'))
      for await (const page of iteratePages(this.models.of(WebhooksView), {
        index: 'byKind',
        equals: [name],
        last: () => [],
      })) {
        const alerts = await this.models.of(Alerts).getMany(page.map(({ muse }) => muse));
        const wants = alerts.filter(({ body }) => Object.keys(body.since).some(skill => skills.has(skill)));
        await this.matchKinds(
          wants.map(({ id }) => [id, 'job_alert'] as const),
          finder,
        );
      }
  }

  private async matchEvents(
    from: Position,
    to: Position,
    { onMatch: tell, onPage: goOn }: MatchListener,
  ): Promise<void> {
    const hooks = [...this.listeners].flatMap(([muse, own]) => own.map(hook => ({ muse, hook })));
    const listeners = new ListenerIndex(hooks);
    const types = [...new Set(hooks.flatMap(({ hook }) => typesOf(hook)))];
    if (types.length === 0) return;
    for (let after = from; after < to;) {
      await goOn();
      const { events, next } = await this.log.readAll(after, PAGE_SIZE, types);
      for (const event of events)
        for (const { muse, hook } of listeners.hooksFor(event)) if (matchesEvent(hook, event)) tell(muse, hook);
      if (next === after) return;
      after = next;
    }
  }

  private async matchKinds(
    told: readonly (readonly [muse: string, kind: string])[],
    { onMatch: tell, onPage: goOn }: MatchListener,
  ): Promise<void> {
    await goOn();
    if (told.length === 0) return;
    const documents = await this.models.of(WebhooksView).getMany([...new Set(told.map(([muse]) => muse))]);
    const hooks = new Map(documents.map(({ id, body }) => [id, body.hooks]));
    for (const [muse, kind] of told)
      for (const hook of hooks.get(muse) ?? []) if (isSubscribedTo(hook, kind)) tell(muse, hook);
  }
}

interface ListeningHook {
  readonly muse: string;
  readonly hook: LiveHook;
}

/** Those that are told of public events. There may be many that follow one role each: they are found by it. */
class ListenerIndex {
  private readonly followers = new Map<string, ListeningHook[]>();
  private readonly others: ListeningHook[] = [];

  constructor(all: readonly ListeningHook[]) {
    for (const each of all) {
      const { form, about } = each.hook;
      if (form !== 'a2a' || about === null) this.others.push(each);
      else if (!this.followers.get(about)?.push(each)) this.followers.set(about, [each]);
    }
  }

  hooksFor({ data }: StoredEvent): readonly ListeningHook[] {
    const role = (data as JsonObject)['role'];
    const followers = typeof role === 'string' ? this.followers.get(role) : undefined;
    return followers ? [...followers, ...this.others] : this.others;
  }
}

/** Those of an index of positions that stand behind one. */
const pagesAfter = <D extends JsonObject & { readonly since: Position }>(collection: Collection<D>, from: Position) =>
  iteratePages(collection, {
    index: 'bySince',
    equals: [],
    last: ({ since }) => [since],
    after: [from, AFTER_ALL_IDS],
  });
