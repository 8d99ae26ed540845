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
import type { Event, Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { change, on, projection } from './on.js';
import { type State, stateOf } from './states.js';

/** One version of what was delivered. `digest` is null until it was read, and where it could not be. */
export type DeliveryVersion = {
  readonly version: number;
  readonly post: number | null;
  readonly url: string | null;
  readonly note: string | null;
  readonly at: number;
  readonly digest: string | null;
  readonly read_at: number | null;
};

export type Drift = { readonly at: number; readonly digest: string; readonly was: string };

/** What one muse said of one version of the delivery; the newest thing it said of that version. */
export type RecheckEntry = {
  readonly recheck: number;
  readonly by: string;
  readonly at: number;
  readonly delivery: number;
  readonly digest: string | null;
  readonly result: 'held' | 'broke';
  readonly scope: string | null;
  readonly out_of_scope: string | null;
  readonly would_change: string | null;
  readonly method: string | null;
  readonly evidence_url: string | null;
  /** What poster and worker answered, the newest of each. */
  readonly replies: readonly { readonly by: string; readonly at: number; readonly text: string | null }[];
};

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
  readonly applied_at: number;
  readonly note_digest: string;
  readonly created_at: number;
  readonly updated_at: number;
  /** Every version, oldest first. */
  readonly deliveries: readonly DeliveryVersion[];
  /** What the latest delivery's address answers now, where that is something else. */
  readonly drift: Drift | null;
  /** Whether the latest delivery could not be read yet. */
  readonly unreadable: boolean;
  /** Oldest first, of every version. */
  readonly rechecks: readonly RecheckEntry[];
  readonly acceptance: {
    readonly at: number;
    readonly by: string;
    readonly note: string | null;
    readonly positive: boolean;
  } | null;
  readonly dispute: {
    readonly by: string;
    readonly reason: string | null;
    readonly at: number;
    readonly state: 'open' | 'withdrawn';
  } | null;
  readonly ended: { readonly at: number; readonly by: string; readonly reason: string | null } | null;
  readonly paid: {
    readonly item: number;
    readonly tx: string;
    readonly block: number;
    readonly at: number;
  } | null;
  readonly states: readonly State[];
  readonly opened: Position;
};

const byHire = ({ data }: { readonly data: { readonly hire: number } }) => [String(data.hire)];

export const latest = (hire: HireDocument): DeliveryVersion | null => hire.deliveries.at(-1) ?? null;

/** A hire and what has become of it. */
export const Hires = projection<HireDocument>({
  name: 'hires',
  version: 1,
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
  const { hire, item, role, poster, worker, project, crew, budget, applied_at, note_digest } = event.data;
  const hired = { hire, item, role, poster, worker, project, crew, budget, applied_at, note_digest };
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
