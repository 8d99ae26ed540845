import { Injectable } from '@nestjs/common';
import { getById, getMany } from '#libs/documents/get-many.js';
import { iterateByOpening, iteratePages } from '#libs/documents/iterate-pages.js';
import type { Collection } from '#libs/documents/document-store.port.js';
import { AFTER_ALL_IDS } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Alerts } from '#libs/features/identity/views/alerts.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import { InboxItems } from '#libs/features/inbox/views/inbox.js';
import type { InboxDocument } from '#libs/views/notifications.js';
import { Links } from '#libs/features/identity/views/links.js';
import { RoleSkills } from '#libs/features/jobs/views/role-skills.js';
import {
  isSubscribedTo,
  type LiveHook,
  namesOfKind,
  typesOf,
  type WebhooksDocument,
  WebhooksView,
} from './views/webhooks.js';
import { WebhookOutbox } from './webhook-outbox.js';

const PAGE_SIZE = 500;

type HookCallback = (muse: string, hook: LiveHook) => void;

interface MatchListener {
  /** Called for all replayed webhooks before `onMatch`. */
  readonly onReplay: HookCallback;
  readonly onMatch: HookCallback;
  readonly onPage: () => Promise<void>;
}

/**
 * Finds webhooks that may have messages between two positions. A false match costs a query, a missed one loses a
 * message.
 */
@Injectable()
export class WebhookMatcher {
  private readonly listeners = new Map<string, readonly LiveHook[]>();
  private lastChange: Position = LOG_START;

  constructor(
    private readonly models: ReadModels,
    private readonly log: EventLog,
    private readonly outbox: WebhookOutbox,
  ) {}

  reset(): void {
    this.listeners.clear();
    this.lastChange = LOG_START;
  }

  async match(from: Position, to: Position, listener: MatchListener): Promise<void> {
    for (const { muse, hooks } of await this.readChanged(listener))
      for (const hook of hooks) if (hook.since > from && hook.after < hook.since) listener.onReplay(muse, hook);
    if (this.lastChange === LOG_START) return;
    await this.matchInboxItems(from, to, listener);
    await this.matchClosings(from, to, listener);
    await this.matchNewRoles(from, to, listener);
    await this.matchEvents(from, to, listener);
  }

  private async readChanged({ onPage }: MatchListener): Promise<WebhooksDocument[]> {
    const documents: WebhooksDocument[] = [];
    for await (const page of this.changedPages()) {
      await onPage();
      for (const document of page) {
        const { muse, hooks, changed } = document;
        const listening = hooks.filter(hook => typesOf(hook).length > 0);
        if (listening.length > 0) this.listeners.set(muse, listening);
        else this.listeners.delete(muse);
        this.lastChange = changed;
        documents.push(document);
      }
    }
    return documents;
  }

  private changedPages() {
    const documents = this.models.of(WebhooksView);
    const after = [this.lastChange, AFTER_ALL_IDS];
    return iteratePages(documents, { index: 'byChange', equals: [], last: ({ changed }) => [changed], after });
  }

  private async matchInboxItems(from: Position, to: Position, listener: MatchListener): Promise<void> {
    for await (const page of pagesAfter(this.models.of(InboxItems), from)) {
      await this.matchKinds(
        page.map(({ muse, kind }) => [muse, kind] as const),
        listener,
      );
      await this.matchLateApplications(page, listener);
      if (page.at(-1)!.since > to) return;
    }
  }

  /** An application made while a role closes may have a later position than the closing. */
  private async matchLateApplications(page: readonly InboxDocument[], listener: MatchListener): Promise<void> {
    const applied = page.filter(({ kind }) => kind === 'application').map(({ about }) => about);
    const closings = await getMany(this.models.of(Closings), [...new Set(applied.map(({ role }) => String(role)))]);
    const closedRoles = new Set(closings.map(({ id }) => id));
    const late = applied.filter(({ role }) => closedRoles.has(String(role)));
    await this.matchKinds(
      late.map(({ from }) => [String(from), 'closed'] as const),
      listener,
    );
  }

  private async matchClosings(from: Position, to: Position, listener: MatchListener): Promise<void> {
    for await (const page of pagesAfter(this.models.of(Closings), from)) {
      for (const { role } of page)
        for await (const applications of iterateByOpening(this.models.of(Applications), 'byRole', role)) {
          const open = applications.filter(({ status }) => status === 'applied');
          await this.matchKinds(
            open.map(({ muse_id }) => [muse_id, 'closed'] as const),
            listener,
          );
        }
      if (page.at(-1)!.since > to) return;
    }
  }

  private async matchNewRoles(from: Position, to: Position, listener: MatchListener): Promise<void> {
    const skills = new Set<string>();
    for await (const page of pagesAfter(this.models.of(RoleSkills), from)) {
      await listener.onPage();
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
        const matching = alerts.filter(({ body }) => Object.keys(body.since).some(skill => skills.has(skill)));
        await this.matchKinds(
          matching.map(({ id }) => [id, 'job_alert'] as const),
          listener,
        );
      }
  }

  private async matchEvents(from: Position, to: Position, { onMatch, onPage }: MatchListener): Promise<void> {
    const hooks = [...this.listeners].flatMap(([muse, museHooks]) => museHooks.map(hook => ({ muse, hook })));
    const listeners = new ListenerIndex(hooks);
    const types = [...new Set(hooks.flatMap(({ hook }) => typesOf(hook)))];
    if (types.length === 0) return;
    for (let after = from; after < to;) {
      await onPage();
      const { events, next } = await this.log.readAll(after, PAGE_SIZE, types);
      for (const event of events)
        for (const { muse, hook } of listeners.hooksFor(event))
          if (this.outbox.isMatch(hook, event)) onMatch(muse, hook);
      if (next === after) return;
      after = next;
    }
  }

  private async matchKinds(
    recipients: readonly (readonly [muse: string, kind: string])[],
    { onMatch, onPage }: MatchListener,
  ): Promise<void> {
    await onPage();
    if (recipients.length === 0) return;
    const museIds = recipients.map(([muse]) => muse);
    const links = await getById(this.models.of(Links), museIds);
    const laterOf = (muse: string) => links.get(muse)?.later ?? muse;
    const documents = await getById(this.models.of(WebhooksView), [...museIds, ...museIds.map(laterOf)]);
    for (const [recipient, kind] of recipients)
      for (const muse of new Set([recipient, laterOf(recipient)]))
        for (const hook of documents.get(muse)?.hooks ?? []) if (isSubscribedTo(hook, kind)) onMatch(muse, hook);
  }
}

interface ListeningHook {
  readonly muse: string;
  readonly hook: LiveHook;
}

/** Indexes webhooks by role, because many of them follow one job each. */
class ListenerIndex {
  private readonly followers = new Map<string, ListeningHook[]>();
  private readonly others: ListeningHook[] = [];

  constructor(hooks: readonly ListeningHook[]) {
    for (const listening of hooks) {
      const { form, about } = listening.hook;
      if (form !== 'a2a' || about === null) this.others.push(listening);
      else if (!this.followers.get(about)?.push(listening)) this.followers.set(about, [listening]);
    }
  }

  hooksFor({ data }: StoredEvent): readonly ListeningHook[] {
    const role = (data as JsonObject)['role'];
    const followers = typeof role === 'string' ? this.followers.get(role) : undefined;
    return followers ? [...followers, ...this.others] : this.others;
  }
}

const pagesAfter = <D extends JsonObject & { readonly since: Position }>(collection: Collection<D>, from: Position) =>
  iteratePages(collection, {
    index: 'bySince',
    equals: [],
    last: ({ since }) => [since],
    after: [from, AFTER_ALL_IDS],
  });
