import { Delivered, DeliveryRead, Hired, Paid } from '#libs/events/hire.js';
import type { EventOf } from '#libs/events/define.js';
import type { Position } from '#libs/kernel/event.js';
import { change, on, projection } from './on.js';

export type HireDocument = {
  readonly hire: number;
  readonly item: number;
  readonly role: string;
  readonly poster: string | null;
  readonly worker: string;
  readonly project: string | null;
  readonly crew: string | null;
  readonly budget: {
    readonly amount: string;
    readonly usd: string;
    readonly token: string;
    readonly rail: string;
    readonly network: string;
  } | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly delivery: {
    readonly version: number;
    readonly post: number | null;
    readonly url: string | null;
    readonly digest: string | null;
    readonly read_at: number | null;
  } | null;
  readonly paid: { readonly item: number; readonly tx: string; readonly block: number } | null;
  readonly opened: Position;
};

const byHire = ({ data }: { readonly data: { readonly hire: number } }) => [String(data.hire)];

/** A hire and what has become of it. */
export const Hires = projection<HireDocument>({
  name: 'hires',
  version: 1,
  indexes: { byWorker: ['worker', 'opened'], byRole: ['role', 'opened'] },
  steps: [
    on(Hired, byHire, (_document, event) => hiredDocument(event)),
    change(Delivered, byHire, (hire, { data, at }) => ({
      ...hire,
      updated_at: at,
      delivery: { version: data.delivery, post: data.post, url: data.url, digest: null, read_at: null },
    })),
    change(DeliveryRead, byHire, (hire, { data, at }) => {
      if (hire.delivery?.version !== data.delivery) return hire;
      return { ...hire, delivery: { ...hire.delivery, digest: data.digest, read_at: at } };
    }),
    change(Paid, byHire, (hire, { data, at }) => {
      const { item, tx, block } = data;
      return { ...hire, updated_at: at, paid: { item, tx, block } };
    }),
  ],
});

/** What a hire looks like before anything else has happened to it. */
export function hiredDocument({ data, at, position }: EventOf<typeof Hired>): HireDocument {
  const { hire, item, role, poster, worker, project, crew, budget } = data;
  const hired = { hire, item, role, poster, worker, project, crew, budget };
  return { ...hired, created_at: at, updated_at: at, delivery: null, paid: null, opened: position };
}
