import {
  Delivered,
  EscrowClosed,
  EscrowFunded,
  HireEnded,
  Hired,
  Paid,
  WageLost,
} from '#libs/features/hires/domain/hire.js';
import * as d from '#libs/views/document-schema.js';
import { countedPoster } from './posters.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { onExisting, on, defineProjection, removeOn } from '#libs/views/projection.js';

/** Wage of one hire. One document per hire, so that no total has to be kept. */
export const WageDocument = d.object({
  poster: d.museId,
  worker: d.museId,
  /** `held`: an escrow holds it. */
  state: d.oneOf('hired', 'held', 'owed', 'paid'),
  /** Time of the latest delivery. */
  delivered_at: d.orNull(d.time),
  /** Time from the latest delivery to its payment. */
  after: d.orNull(d.duration),
  /** Position of the event that set `state`. */
  since: d.position,
});
export type WageDocument = d.DocumentOf<typeof WageDocument>;

interface HireEvent {
  readonly data: { readonly hire: number; readonly poster: string | null; readonly role: string };
}
function byHire(event: HireEvent): string[] {
  const poster = countedPoster(event);
  return poster === null ? [] : [`${poster}/${event.data.hire}`];
}

export const hireOfWage = (id: string): number => Number(id.split('/')[1]);

/** Only paid hires: a free hire has no wage. */
export const Wages = defineProjection('wages', WageDocument, {
  shape: 'a070e669',
  idsBegin: 'poster/',
  indexes: { byPoster: ['poster', 'state', 'since'] },
  steps: [
    on(
      Hired,
      event => (event.data.wage === null ? [] : byHire(event)),
      (_wage, { data, position }) => {
        const { worker } = data;
        const poster = resolvePosterId(data.poster);
        return { poster, worker, state: 'hired', delivered_at: null, after: null, since: position };
      },
    ),
    onExisting(EscrowFunded, byHire, (wage, { position }) => ({ ...wage, state: 'held', since: position })),
    onExisting(EscrowClosed, byHire, (wage, { position }) => {
      return { ...wage, state: wage.delivered_at === null ? 'hired' : 'owed', since: position };
    }),
    onExisting(Delivered, byHire, (wage, { at, position }) => {
      if (wage.state === 'paid') return wage;
      return { ...wage, state: wage.state === 'held' ? 'held' : 'owed', delivered_at: at, since: position };
    }),
    removeOn(HireEnded, byHire),
    onExisting(Paid, byHire, (wage, { at, position }) => {
      return { ...wage, state: 'paid', after: at - (wage.delivered_at ?? at), since: position };
    }),
    onExisting(WageLost, byHire, (wage, { position }) => ({ ...wage, state: 'owed', after: null, since: position })),
  ],
});
