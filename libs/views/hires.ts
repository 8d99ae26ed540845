import type { EventOf } from '#libs/streams/define.js';
import {
  Accepted,
  Delivered,
  DeliveryDrifted,
  DeliveryMatches,
  DeliveryRead,
  DisputeWithdrawn,
  Disputed,
  HireEnded,
  Hired,
  Paid,
  RecheckReplied,
  Rechecked,
} from '#libs/streams/hire.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import * as d from './document.js';
import { change, on, projection } from './projection.js';
import { State, stateOf } from './states.js';

/** One version of what was delivered. `digest` is null until it was read, and where it could not be. */
const DeliveryVersion = d.object({
  version: d.integer,
  post: d.orNull(d.id),
  url: d.orNull(d.text),
  note: d.orNull(d.text),
  at: d.time,
  digest: d.orNull(d.hash),
  read_at: d.orNull(d.time),
});
export type DeliveryVersion = d.DocumentOf<typeof DeliveryVersion>;

const Drift = d.object({ at: d.time, digest: d.hash, was: d.hash });

/** What one muse said of one version of the delivery; the newest thing it said of that version. */
const RecheckEntry = d.object({
  recheck: d.id,
  by: d.museId,
  at: d.time,
  delivery: d.integer,
  digest: d.orNull(d.hash),
  result: d.oneOf('held', 'broke'),
  scope: d.orNull(d.text),
  out_of_scope: d.orNull(d.text),
  would_change: d.orNull(d.text),
  method: d.orNull(d.text),
  evidence_url: d.orNull(d.text),
  /** What poster and worker answered, the newest of each. */
  replies: d.list(d.object({ by: d.museId, at: d.time, text: d.orNull(d.text) })),
});
export type RecheckEntry = d.DocumentOf<typeof RecheckEntry>;

export const HireDocument = d.object({
  hire: d.id,
  item: d.item,
  role: d.slug,
  poster: d.orNull(d.museId),
  worker: d.museId,
  project: d.orNull(d.slug),
  crew: d.orNull(d.text),
  budget: d.orNull(d.budget),
  applied_at: d.time,
  note_commitment: d.hash,
  created_at: d.time,
  updated_at: d.time,
  /** Every version, oldest first. */
  deliveries: d.list(DeliveryVersion),
  /** What the latest delivery's address answers now, where that is something else. */
  drift: d.orNull(Drift),
  /** Whether the latest delivery could not be read yet. */
  unreadable: d.flag,
  /** Oldest first, of every version. */
  rechecks: d.list(RecheckEntry),
  acceptance: d.orNull(d.object({ at: d.time, by: d.museId, note: d.orNull(d.text), positive: d.flag })),
  dispute: d.orNull(
    d.object({ by: d.museId, reason: d.orNull(d.text), at: d.time, state: d.oneOf('open', 'withdrawn') }),
  ),
  ended: d.orNull(d.object({ at: d.time, by: d.museId, reason: d.orNull(d.text) })),
  paid: d.orNull(d.object({ item: d.item, tx: d.transaction, block: d.integer, at: d.time })),
  states: d.list(State),
  opened: d.position,
});
export type HireDocument = d.DocumentOf<typeof HireDocument>;

const byHire = ({ data }: { readonly data: { readonly hire: number } }) => [String(data.hire)];

export const latest = (hire: HireDocument): DeliveryVersion | null => hire.deliveries.at(-1) ?? null;

/** A hire and what has become of it. */
export const Hires = projection<typeof HireDocument>({
  name: 'hires',
  version: 2,
  shape: 'a531ac14',
  document: HireDocument,
  indexes: {
    byWorker: ['worker', 'opened'],
    byRole: ['role', 'opened'],
    unreadable: ['unreadable', 'updated_at'],
  },
  steps: [
    on(Hired, byHire, (_document, event) => hiredDocument(event)),
    change(Delivered, byHire, (hire, event) => {
      const { delivery: version, post, url, note } = event.data;
      const delivery = { version, post, url, note, at: event.at, digest: null, read_at: null };
      return moved(hire, event, { deliveries: [...hire.deliveries, delivery], drift: null, unreadable: false });
    }),
    change(DeliveryRead, byHire, (hire, event) => {
      const { delivery, digest } = event.data;
      const read = (each: DeliveryVersion) =>
        each.version === delivery ? { ...each, digest, read_at: event.at } : each;
      const isLatest = latest(hire)?.version === delivery;
      const unreadable = isLatest ? digest === null : hire.unreadable;
      return { ...stamped(hire, event), deliveries: hire.deliveries.map(read), unreadable };
    }),
    change(DeliveryDrifted, byHire, (hire, event) => {
      const { digest, was } = event.data;
      return { ...stamped(hire, event), drift: { at: event.at, digest, was } };
    }),
    change(DeliveryMatches, byHire, (hire, event) => ({ ...stamped(hire, event), drift: null })),
    change(Rechecked, byHire, (hire, event) => moved(hire, event, { rechecks: withRecheck(hire, event) })),
    change(RecheckReplied, byHire, (hire, event) => moved(hire, event, { rechecks: withReply(hire, event) })),
    change(Accepted, byHire, (hire, event) => {
      const { by, note, positive } = event.data;
      return moved(hire, event, { acceptance: { at: event.at, by, note, positive } });
    }),
    change(Disputed, byHire, (hire, event) => {
      const { by, reason } = event.data;
      return moved(hire, event, { dispute: { by, reason, at: event.at, state: 'open' } });
    }),
    change(DisputeWithdrawn, byHire, (hire, event) => {
      const dispute = hire.dispute && { ...hire.dispute, at: event.at, state: 'withdrawn' as const };
      return moved(hire, event, { dispute });
    }),
    change(HireEnded, byHire, (hire, event) => {
      const { by, reason } = event.data;
      return moved(hire, event, { ended: { at: event.at, by, reason } });
    }),
    change(Paid, byHire, (hire, event) => {
      const { item, tx, block } = event.data;
      return moved(hire, event, { paid: { item, tx, block, at: event.at } });
    }),
  ],
});

/** What a hire looks like before anything else has happened to it. */
export function hiredDocument(event: EventOf<typeof Hired>): HireDocument {
  const { hire, item, role, poster, worker, project, crew, budget, applied_at, note_commitment } = event.data;
  const hired = { hire, item, role, poster, worker, project, crew, budget, applied_at, note_commitment };
  const empty = { deliveries: [], drift: null, unreadable: false, rechecks: [], paid: null };
  const nothing = { acceptance: null, dispute: null, ended: null };
  return {
    ...hired,
    ...empty,
    ...nothing,
    created_at: event.at,
    updated_at: event.at,
    states: [stateOf(event)],
    opened: event.position,
  };
}

function stamped(hire: HireDocument, event: Event): HireDocument {
  return { ...hire, states: [...hire.states, stateOf(event)] };
}

/** A change that somebody made, rather than one that the service saw. */
function moved(hire: HireDocument, event: Event, changes: Partial<HireDocument> & JsonObject): HireDocument {
  return { ...stamped(hire, event), ...changes, updated_at: event.at };
}

type Rechecks = readonly RecheckEntry[];

/** What a muse says of a version again takes the place of what it said before, replies included. */
function withRecheck({ rechecks }: HireDocument, { data, at }: EventOf<typeof Rechecked>): Rechecks {
  const { recheck, by, delivery, digest, result, scope, out_of_scope, would_change, method, evidence_url } = data;
  const said = { result, scope, out_of_scope, would_change, method, evidence_url };
  const replies = rechecks.find(each => each.recheck === recheck)?.replies ?? [];
  const entry = { recheck, by, at, delivery, digest, ...said, replies };
  return [...rechecks.filter(each => each.recheck !== recheck), entry];
}

function withReply({ rechecks }: HireDocument, { data, at }: EventOf<typeof RecheckReplied>): Rechecks {
  const { recheck, by, text } = data;
  const answered = (entry: RecheckEntry): RecheckEntry => {
    const others = entry.replies.filter(reply => reply.by !== by);
    return entry.recheck === recheck ? { ...entry, replies: [...others, { by, at, text }] } : entry;
  };
  return rechecks.map(answered);
}

/** The rechecks of the latest version, oldest first. */
export function currentRechecks(hire: HireDocument): readonly RecheckEntry[] {
  return hire.rechecks.filter(({ delivery }) => delivery === latest(hire)?.version);
}
