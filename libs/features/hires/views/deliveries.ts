import { Delivered, DeliveryRead } from '#libs/features/hires/domain/hire.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';

/** `digest` is null until it was read, and where it could not be. */
const version = {
  version: d.integer,
  post: d.orNull(d.id),
  url: d.orNull(d.text),
  note: d.orNull(d.text),
  at: d.time,
  digest: d.orNull(d.hash),
  read_at: d.orNull(d.time),
};

/** One version of what was delivered. */
export const DeliveryVersion = d.object(version);
export type DeliveryVersion = d.DocumentOf<typeof DeliveryVersion>;

export const DeliveryDocument = d.object({ hire: d.id, worker: d.museId, ...version });
export type DeliveryDocument = d.DocumentOf<typeof DeliveryDocument>;

/** As its worker leaves it who has erased itself. */
export const withoutTexts = <V extends DeliveryVersion>(delivery: V): V => ({ ...delivery, url: null, note: null });

/** When it was read, unix ms; null where the service had to give it up. */
export const readAt = ({ data, at }: EventOf<typeof DeliveryRead>): number | null => (data.digest === null ? null : at);

type DeliveryEvent = { readonly data: { readonly hire: number; readonly delivery: number } };
const byVersion = ({ data }: DeliveryEvent) => [`${data.hire}/${data.delivery}`];

/** Every version of every delivery, which stays on the record of its hire. The hire itself holds the latest. */
export const Deliveries = defineProjection<typeof DeliveryDocument>({
  name: 'deliveries',
  version: 1,
  shape: '1756e314',
  document: DeliveryDocument,
  idsBegin: 'hire/',
  indexes: { byHire: ['hire', 'version'], byWorker: ['worker'] },
  forgets: { by: ['byWorker'], erase: withoutTexts },
  steps: [
    on(Delivered, byVersion, (_delivery, { data, at }) => {
      const { hire, worker, delivery: version, post, url, note } = data;
      return { hire, worker, version, post, url, note, at, digest: null, read_at: null };
    }),
    onExisting(DeliveryRead, byVersion, (delivery, event) => ({
      ...delivery,
      digest: event.data.digest,
      read_at: readAt(event),
    })),
  ],
});
