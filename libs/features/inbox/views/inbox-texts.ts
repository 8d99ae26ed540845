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
        return { kind, id: idOf(item), created_at: at, ...about, ...(await this.texts[kind]?.(about)) };
      }),
    );
  }

  /** By kind; the other kinds have no texts. */
  private readonly texts: { readonly [kind: string]: (about: InboxItem['about']) => Promise<JsonObject> } = {
    application: ({ role, from }) => this.application(String(role), String(from)),
    message: ({ message_id }) => this.message(Number(message_id)),
    message_sent: ({ message_id }) => this.message(Number(message_id)),
    mention: ({ post_id }) => this.excerpt(Number(post_id)),
    reply: ({ reply_id }) => this.excerpt(Number(reply_id)),
    hired: ({ role }) => this.title(String(role)),
    job_expired: ({ role }) => this.title(String(role)),
    job_alert: ({ role }) => this.alert(String(role)),
    hire_ended: ({ hire }) => this.ended(String(hire)),
  };

  /** Loads the answer to the screening question from the log: it is in no document, because only the poster may read it. */
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
