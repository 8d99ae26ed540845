import { Injectable } from '@nestjs/common';
import { manyOf } from '#libs/documents/many.js';
import { openedUnder, pages } from '#libs/documents/pages.js';
import type { Collection } from '#libs/documents/port.js';
import { BEHIND_IDS } from '#libs/documents/range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { EventLog } from '#libs/event-log/port.js';
import { type Position, START, type StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Alerts } from '#libs/features/profile/views/alerts.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import { type InboxDocument, InboxItems } from '#libs/features/inbox/views/inbox.js';
import { RoleSkills } from '#libs/features/jobs/views/role-skills.js';
import {
  hearsKind,
  type LiveHook,
  namesOfKind,
  typesOf,
  type WebhooksDocument,
  WebhooksView,
} from '#libs/features/webhooks/views/webhooks.js';
import { concerns } from './told.js';

/** How many events of the log are looked at in one question. */
const PAGE = 500;

type Tell = (muse: string, hook: LiveHook) => void;

/** Who is told of what is found. */
interface Finder {
  /** Of those that begin anew, before `tell` is told of any. */
  readonly replay: Tell;
  readonly tell: Tell;
  /** Is waited for at each page; what it throws ends the look. */
  readonly goOn: () => Promise<void>;
}

/** Which hooks there may be something for between two positions: one too many costs a look, one too few a message. */
@Injectable()
export class ConcernedHooks {
  /** The hooks that are told of public events, by muse, and up to where the log was asked for their changes. */
  private readonly listeners = new Map<string, readonly LiveHook[]>();
  private changedAt: Position = START;

  constructor(
    private readonly models: ReadModels,
    private readonly log: EventLog,
  ) {}

  /** Another process may have looked meanwhile: hooks are asked for anew. */
  forget(): void {
    this.listeners.clear();
    this.changedAt = START;
  }

  async between(from: Position, to: Position, finder: Finder): Promise<void> {
    for (const { muse, hooks } of await this.changed(finder))
      for (const hook of hooks) if (hook.since > from && hook.after < hook.since) finder.replay(muse, hook);
    if (this.changedAt === START) return;
    await this.byItems(from, to, finder);
    await this.byClosings(from, to, finder);
    await this.byNewRoles(from, to, finder);
    await this.byEvents(from, to, finder);
  }

  /** The documents that have changed since the last look; those that listen to public events are kept. */
  private async changed({ goOn }: Finder): Promise<WebhooksDocument[]> {
    const all: WebhooksDocument[] = [];
    for await (const page of this.changes()) {
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

  private changes() {
    const documents = this.models.of(WebhooksView);
    const after = [this.changedAt, BEHIND_IDS];
    return pages(documents, { index: 'byChange', equals: [], last: ({ changed }) => [changed], after });
  }

  private async byItems(from: Position, to: Position, finder: Finder): Promise<void> {
    for await (const page of newer(this.models.of(InboxItems), from)) {
      await this.tellKinds(
        page.map(({ muse, kind }) => [muse, kind] as const),
        finder,
      );
      await this.byLateApplications(page, finder);
      if (page.at(-1)!.since > to) return;
    }
  }

  /** Those who have applied for a role at the moment at which it was closed, and stand behind that. */
  private async byLateApplications(page: readonly InboxDocument[], finder: Finder): Promise<void> {
    const applied = page.filter(({ kind }) => kind === 'application').map(({ about }) => about);
    const closings = await manyOf(this.models.of(Closings), [...new Set(applied.map(({ role }) => String(role)))]);
    const closed = new Set(closings.map(({ id }) => id));
    const late = applied.filter(({ role }) => closed.has(String(role)));
    await this.tellKinds(
      late.map(({ from }) => [String(from), 'closed'] as const),
      finder,
    );
  }

  /** Those with an application for a role that was closed. */
  private async byClosings(from: Position, to: Position, finder: Finder): Promise<void> {
    for await (const page of newer(this.models.of(Closings), from)) {
      for (const { role } of page)
        for await (const applications of openedUnder(this.models.of(Applications), 'byRole', role)) {
          const open = applications.filter(({ status }) => status === 'applied');
          await this.tellKinds(
            open.map(({ muse_id }) => [muse_id, 'closed'] as const),
            finder,
          );
        }
      if (page.at(-1)!.since > to) return;
    }
  }

  /** Those that want to hear of roles which ask for a skill. */
  private async byNewRoles(from: Position, to: Position, finder: Finder): Promise<void> {
    const skills = new Set<string>();
    for await (const page of newer(this.models.of(RoleSkills), from)) {
      await finder.goOn();
      for (const { skill } of page) skills.add(skill);
      if (page.at(-1)!.since > to) break;
    }
    if (skills.size === 0) return;
    for (const name of namesOfKind('job_alert'))
      for await (const page of pages(this.models.of(WebhooksView), {
        index: 'byKind',
        equals: [name],
        last: () => [],
      })) {
        const alerts = await this.models.of(Alerts).getMany(page.map(({ muse }) => muse));
        const wants = alerts.filter(({ body }) => Object.keys(body.since).some(skill => skills.has(skill)));
        await this.tellKinds(
          wants.map(({ id }) => [id, 'job_alert'] as const),
          finder,
        );
      }
  }

  private async byEvents(from: Position, to: Position, { tell, goOn }: Finder): Promise<void> {
    const hooks = [...this.listeners].flatMap(([muse, own]) => own.map(hook => ({ muse, hook })));
    const listeners = new Listeners(hooks);
    const types = [...new Set(hooks.flatMap(({ hook }) => typesOf(hook)))];
    if (types.length === 0) return;
    for (let after = from; after < to;) {
      await goOn();
      const { events, next } = await this.log.readAll(after, PAGE, types);
      for (const event of events)
        for (const { muse, hook } of listeners.of(event)) if (concerns(hook, event)) tell(muse, hook);
      if (next === after) return;
      after = next;
    }
  }

  private async tellKinds(
    told: readonly (readonly [muse: string, kind: string])[],
    { tell, goOn }: Finder,
  ): Promise<void> {
    await goOn();
    if (told.length === 0) return;
    const documents = await this.models.of(WebhooksView).getMany([...new Set(told.map(([muse]) => muse))]);
    const hooks = new Map(documents.map(({ id, body }) => [id, body.hooks]));
    for (const [muse, kind] of told)
      for (const hook of hooks.get(muse) ?? []) if (hearsKind(hook, kind)) tell(muse, hook);
  }
}

interface Listening {
  readonly muse: string;
  readonly hook: LiveHook;
}

/** Those that are told of public events. There may be many that follow one role each: they are found by it. */
class Listeners {
  private readonly followers = new Map<string, Listening[]>();
  private readonly others: Listening[] = [];

  constructor(all: readonly Listening[]) {
    for (const each of all) {
      const { form, about } = each.hook;
      if (form !== 'a2a' || about === null) this.others.push(each);
      else if (!this.followers.get(about)?.push(each)) this.followers.set(about, [each]);
    }
  }

  of({ data }: StoredEvent): readonly Listening[] {
    const role = (data as JsonObject)['role'];
    const followers = typeof role === 'string' ? this.followers.get(role) : undefined;
    return followers ? [...followers, ...this.others] : this.others;
  }
}

/** Those of an index of positions that stand behind one. */
const newer = <D extends JsonObject & { readonly since: Position }>(collection: Collection<D>, from: Position) =>
  pages(collection, { index: 'bySince', equals: [], last: ({ since }) => [since], after: [from, BEHIND_IDS] });
