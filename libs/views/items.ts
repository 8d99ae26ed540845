import { Applied } from '#libs/streams/application.js';
import { Hired, Paid } from '#libs/streams/hire.js';
import { JobPosted } from '#libs/streams/job.js';
import { Joined, Verified } from '#libs/streams/muse.js';
import type { Position } from '#libs/kernel/event.js';
import { HOUSE_ID, posterId } from '#libs/kernel/house.js';
import { on, projection } from './on.js';

export type ItemKind = 'job' | 'applied' | 'hired' | 'joined' | 'verified' | 'receipt';

export type ItemDocument = {
  readonly id: number;
  readonly kind: ItemKind;
  readonly muse_id: string | null;
  readonly role: string | null;
  readonly hire: number | null;
  readonly again_of: string | null;
  readonly receipt: {
    readonly amount_usd: string;
    readonly token: string;
    readonly network: string;
    readonly rail: string;
    readonly tx: string;
    readonly poster: string | null;
  } | null;
  readonly created_at: number;
  readonly opened: Position;
  /** Which of the feed's filters it passes. */
  readonly work: boolean;
  readonly hires: boolean;
};

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
export const Items = projection<ItemDocument>({
  name: 'items',
  version: 1,
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
