import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { POST_TEXTS } from '#libs/features/feed/views/notifications.js';
import { HIRE_TEXTS } from '#libs/features/hires/views/notifications.js';
import { JOB_TEXTS } from '#libs/features/jobs/views/notifications.js';
import { MESSAGE_TEXTS } from '#libs/features/messages/views/notifications.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { NotificationTexts } from '#libs/views/notifications.js';
import type { InboxItem } from './inbox-items.js';

/** The other kinds have no texts. */
const TEXTS: NotificationTexts = { ...POST_TEXTS, ...HIRE_TEXTS, ...JOB_TEXTS, ...MESSAGE_TEXTS };

/** 48 bits, which a JSON number holds exactly. */
const ID_HEX_DIGITS = 12;

/** Derived from the item's name, so it is stable. */
const idOf = ({ name }: InboxItem) => Number.parseInt(sha256Hex(name).slice(0, ID_HEX_DIGITS), 16);

/** Texts are read from documents that can be erased. */
@Injectable()
export class InboxTexts {
  constructor(
    readonly models: ReadModels,
    readonly journal: Journal,
  ) {}

  join(items: readonly InboxItem[]): Promise<JsonObject[]> {
    return Promise.all(
      items.map(async item => {
        const { kind, about, at } = item;
        const texts = await TEXTS[kind as keyof NotificationTexts]?.(about, this);
        return { kind, id: idOf(item), created_at: at, ...about, ...texts };
      }),
    );
  }
}
