import { Applied } from '#libs/streams/application.js';
import { Hired, Paid } from '#libs/streams/hire.js';
import { JobPosted } from '#libs/streams/job.js';
import { Joined, Verified } from '#libs/streams/muse.js';
import type { Position } from '#libs/kernel/event.js';
import { HOUSE_ID, posterId } from '#libs/kernel/house.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

const ItemKind = d.oneOf('job', 'applied', 'hired', 'joined', 'verified', 'receipt');
export type ItemKind = d.DocumentOf<typeof ItemKind>;

export const ItemDocument = d.object({
  id: d.item,
  kind: ItemKind,
  muse_id: d.orNull(d.museId),
  role: d.orNull(d.slug),
  hire: d.orNull(d.id),
  again_of: d.orNull(d.slug),
  receipt: d.orNull(
    d.object({
      amount_usd: d.usd,
      token: d.text,
      network: d.text,
      rail: d.rail,
      tx: d.transaction,
      poster: d.orNull(d.museId),
    }),
  ),
  created_at: d.time,
  opened: d.position,
  /** Which of the feed's filters it passes. */
  work: d.flag,
  hires: d.flag,
});
export type ItemDocument = d.DocumentOf<typeof ItemDocument>;

type Opening = Omit<
  ItemDocument,
  'opened' | 'created_at' | 'work' | 'hires' | 'role' | 'hire' | 'again_of' | 'receipt'
> &
  Partial<ItemDocument>;

const WORK: readonly ItemKind[] = ['job', 'applied', 'hired', 'receipt'];
const HIRES: readonly ItemKind[] = ['hired', 'receipt'];

/** The first event that names an item opens it, and no other. */
function open(
  document: ItemDocument | undefined,
  { at, position }: { at: number; position: Position },
  opening: Opening,
): ItemDocument {
  const { kind } = opening;
  const shape = {
    role: null,
    hire: null,
    again_of: null,
    receipt: null,
    work: WORK.includes(kind),
    hires: HIRES.includes(kind),
  };
  return document ?? { ...shape, ...opening, created_at: at, opened: position };
}

/** An item of the feed. What can change about a hire is joined by the query. */
export const Items = projection<typeof ItemDocument>({
  name: 'items',
  version: 1,
  shape: 'c02e3dbc',
  document: ItemDocument,
  indexes: {
    all: ['opened'],
    work: ['work', 'opened'],
    hires: ['hires', 'opened'],
    byMuse: ['muse_id', 'opened'],
    byMuseAndKind: ['muse_id', 'kind', 'opened'],
  },
  steps: [
    on(
      Joined,
      ({ data }) => (data.muse_id === HOUSE_ID ? [] : [String(data.item)]),
      (document, event) => open(document, event, { id: event.data.item, kind: 'joined', muse_id: event.data.muse_id }),
    ),
    on(
      Verified,
      ({ data }) => [String(data.item)],
      (document, event) =>
        open(document, event, { id: event.data.item, kind: 'verified', muse_id: event.data.muse_id }),
    ),
    on(
      JobPosted,
      ({ data }) => [String(data.item)],
      (document, event) => {
        const { item: id, role, poster, again_of } = event.data;
        const muse_id = posterId(poster);
        return open(document, event, { id, kind: 'job', muse_id, role, again_of });
      },
    ),
    on(
      Applied,
      ({ data }) => [String(data.item)],
      (document, event) => {
        const { item: id, role, muse_id } = event.data;
        return open(document, event, { id, kind: 'applied', muse_id, role });
      },
    ),
    on(
      Hired,
      ({ data }) => [String(data.item)],
      (document, event) => {
        const { item: id, role, worker: muse_id, hire } = event.data;
        return open(document, event, { id, kind: 'hired', muse_id, role, hire });
      },
    ),
    on(
      Paid,
      ({ data }) => [String(data.item)],
      (document, event) => {
        const { item: id, role, worker: muse_id, hire, usd: amount_usd, token, network, rail, tx, poster } = event.data;
        return open(document, event, {
          id,
          kind: 'receipt',
          muse_id,
          role,
          hire,
          receipt: { amount_usd, token, network, rail, tx, poster },
        });
      },
    ),
  ],
});
