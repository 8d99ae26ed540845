import { Delivered, DeliveryRead } from '#libs/features/hires/domain/hire.js';
import type { EventOf } from '#libs/domain/define.js';
import { documentFields, erasedFields } from '#libs/domain/fields.js';
import { DELIVERY_FIELDS } from '#libs/features/hires/domain/hire-fields.js';
import { laterAuthorOf } from './later-authors.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';

/** `digest` is null until the delivery has been read, and stays null if that fails, for the `unread_reason`. */
const version = {
  version: d.integer,
  ...documentFields(DELIVERY_FIELDS),
  at: d.time,
  digest: d.orNull(d.digest),
  bytes: d.orNull(d.integer),
  media_type: d.orNull(d.text),
  unread_reason: d.orNull(d.text),
  read_at: d.orNull(d.time),
};

export const DeliveryVersion = d.object(version);
export type DeliveryVersion = d.DocumentOf<typeof DeliveryVersion>;

/** `author` is the worker, or its later identity. */
export const DeliveryDocument = d.object({ hire: d.id, worker: d.museId, author: d.museId, ...version });
export type DeliveryDocument = d.DocumentOf<typeof DeliveryDocument>;

/** Erased form, after the author was forgotten. */
export const withoutTexts = <V extends DeliveryVersion>(delivery: V): V => ({
  ...delivery,
  ...erasedFields(DELIVERY_FIELDS),
});

export const UNREAD = { digest: null, bytes: null, media_type: null, unread_reason: null, read_at: null };

/** Fields of a version after a reading. */
export function readingOf({ data, at }: EventOf<typeof DeliveryRead>) {
  const { digest, bytes, media_type, reason } = data;
  return digest === null
    ? { ...UNREAD, unread_reason: reason }
    : { digest, bytes, media_type, unread_reason: null, read_at: at };
}

type DeliveryEvent = { readonly data: { readonly hire: number; readonly delivery: number } };
const byVersion = ({ data }: DeliveryEvent) => [`${data.hire}/${data.delivery}`];

export const Deliveries = defineProjection('deliveries', DeliveryDocument, {
  shape: 'cf078fc7',
  idsBegin: 'hire/',
  indexes: { byHire: ['hire', 'version'], byAuthor: ['author'] },
  forgets: { by: ['byAuthor'], erase: withoutTexts },
  steps: [
    on(Delivered, byVersion, (_delivery, { data, at, actor }) => {
      const { hire, worker, delivery: version, post, url, note } = data;
      const author = laterAuthorOf(actor, worker) ?? worker;
      return { hire, worker, author, version, post, url, note, at, ...UNREAD };
    }),
    onExisting(DeliveryRead, byVersion, (delivery, event) => ({ ...delivery, ...readingOf(event) })),
  ],
});
