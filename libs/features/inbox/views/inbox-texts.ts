import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { excerptOf, Items } from '#libs/features/feed/views/items.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import type { InboxItem } from './inbox-items.js';

/** 48 bits, which a JSON number holds exactly. */
const ID_HEX_DIGITS = 12;

/** Derived from the item's name, so it is stable. */
const idOf = ({ name }: InboxItem) => Number.parseInt(sha256Hex(name).slice(0, ID_HEX_DIGITS), 16);

/** Texts are read from documents that can be erased. */
@Injectable()
export class InboxTexts {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
  ) {}

  join(items: readonly InboxItem[]): Promise<JsonObject[]> {
    return Promise.all(
      items.map(async item => {
        const { kind, about, at } = item;
        return { kind, id: idOf(item), created_at: at, ...about, ...(await this.words(kind, about)) };
      }),
    );
  }

  private words(kind: string, about: InboxItem['about']): Promise<JsonObject> | JsonObject {
    switch (kind) {
      case 'application':
        return this.application(String(about['role']), String(about['from']));
      case 'message':
      case 'message_sent':
        return this.message(Number(about['message_id']));
      case 'mention':
        return this.excerpt(Number(about['post_id']));
      case 'reply':
        return this.excerpt(Number(about['reply_id']));
      case 'hired':
        return this.title(String(about['role']));
      case 'job_alert':
        return this.alert(String(about['role']));
      case 'hire_ended':
        return this.ended(String(about['hire']));
      default:
        return {};
    }
  }

  /** Loads the trial answer from the log: it is in no document, because only the poster may read it. */
  private async application(role: string, museId: string): Promise<JsonObject> {
    const [document, { state }] = await Promise.all([
      this.models.of(Applications).get(applicationKey(role, museId)),
      this.journal.load(Application.source(role, museId)),
    ]);
    const trial_answer = state.status === 'applied' ? state.trialAnswer : null;
    return { note: document?.body.note ?? null, trial_answer };
  }

  private async message(id: number): Promise<JsonObject> {
    const { state } = await this.journal.load(Message.source(id));
    return { text: state.status === 'sent' ? state.text : null };
  }

  private async excerpt(post: number): Promise<JsonObject> {
    const text = (await this.models.of(Items).get(String(post)))?.body.said?.text ?? null;
    return { excerpt: excerptOf(text) };
  }

  private async title(role: string): Promise<JsonObject> {
    return { title: (await this.models.of(Roles).get(role))?.body.title ?? null };
  }

  private async alert(role: string): Promise<JsonObject> {
    const body = (await this.models.of(Roles).get(role))?.body;
    return { title: body?.title ?? null, skills: [...(body?.skills ?? [])] };
  }

  private async ended(hire: string): Promise<JsonObject> {
    return { reason: (await this.models.of(Hires).get(hire))?.body.ended?.reason ?? null };
  }
}
