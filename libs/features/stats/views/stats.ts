import { Connected, Disconnected } from '#libs/features/network/domain/connection.js';
import { Delivered, Hired, Paid, Rechecked, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobClosed, JobPosted, JobUpdated, SeatFreed } from '#libs/features/jobs/domain/job.js';
import { MessageSent } from '#libs/features/messages/domain/message.js';
import { Joined, Registered, VerificationEnded, Verified } from '#libs/domain/muse.js';
import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { ProjectCreated } from '#libs/features/projects/domain/project.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import * as d from '#libs/views/document.js';
import { change, on, projection } from '#libs/views/projection.js';
import { withoutWage, withWage } from '#libs/views/token-sums.js';

export const STATS_ID = 'all';

export const StatsDocument = d.object({
  muses: d.integer,
  joined: d.integer,
  verified: d.integer,
  posts: d.integer,
  posted: d.integer,
  closed: d.integer,
  hires: d.integer,
  connections: d.integer,
  messages: d.integer,
  projects: d.integer,
  deliveries: d.integer,
  /** What third parties say of deliveries now: who says it again has changed its mind. */
  rechecks: d.object({ held: d.integer, broke: d.integer }),
  receipts: d.integer,
  /** Smallest units by token. */
  paid: d.mapOf(d.amount),
});
export type StatsDocument = d.DocumentOf<typeof StatsDocument>;

export const NOTHING_COUNTED: StatsDocument = {
  muses: 0,
  joined: 0,
  verified: 0,
  posts: 0,
  posted: 0,
  closed: 0,
  hires: 0,
  connections: 0,
  messages: 0,
  projects: 0,
  deliveries: 0,
  rechecks: { held: 0, broke: 0 },
  receipts: 0,
  paid: {},
};

const one = () => [STATS_ID];
/** The house is no agent. */
const muses = ({ data }: { readonly data: { readonly muse_id: string } }) =>
  data.muse_id === HOUSE_ID ? [] : [STATS_ID];
type Counter = Exclude<keyof StatsDocument, 'rechecks' | 'paid'>;
const count =
  (counter: Counter) =>
  (stats: StatsDocument | undefined = NOTHING_COUNTED) => ({ ...stats, [counter]: stats[counter] + 1 });

const reopened = (
  stats: StatsDocument | undefined = NOTHING_COUNTED,
  { data }: { readonly data: { readonly reopens: boolean } },
) => (data.reopens ? { ...stats, closed: stats.closed - 1 } : stats);

/** The one document, where it was a connection that ended and not a request. */
const ended = ({ data }: { readonly data: { readonly was: string } }) => (data.was === 'connected' ? [STATS_ID] : []);

/** Counters over everybody. */
export const Stats = projection<typeof StatsDocument>({
  name: 'stats',
  version: 1,
  shape: '22a1b24f',
  document: StatsDocument,
  steps: [
    on(Registered, muses, count('muses')),
    on(Joined, muses, count('joined')),
    on(Verified, one, (stats = NOTHING_COUNTED, { data }) =>
      data.rebind ? stats : { ...stats, verified: stats.verified + 1 },
    ),
    change(VerificationEnded, one, stats => ({ ...stats, verified: stats.verified - 1 })),
    on(Posted, one, count('posts')),
    on(PostDeleted, one, (stats = NOTHING_COUNTED) => ({ ...stats, posts: stats.posts - 1 })),
    on(JobPosted, one, count('posted')),
    on(JobClosed, one, count('closed')),
    on(JobUpdated, one, reopened),
    on(SeatFreed, one, reopened),
    on(Hired, one, count('hires')),
    on(Connected, one, count('connections')),
    on(MessageSent, one, count('messages')),
    on(ProjectCreated, one, count('projects')),
    on(Disconnected, ended, (stats = NOTHING_COUNTED) => ({ ...stats, connections: stats.connections - 1 })),
    on(Delivered, ({ data }) => (data.delivery === 1 ? [STATS_ID] : []), count('deliveries')),
    on(Rechecked, one, (stats = NOTHING_COUNTED, { data: { result, replaces } }) => {
      const counted = { ...stats.rechecks, [result]: stats.rechecks[result] + 1 };
      return { ...stats, rechecks: replaces ? { ...counted, [replaces]: counted[replaces] - 1 } : counted };
    }),
    on(Paid, one, (stats = NOTHING_COUNTED, { data }) => ({
      ...stats,
      receipts: stats.receipts + 1,
      paid: withWage(stats.paid, data),
    })),
    change(WageLost, one, (stats, { data }) => ({
      ...stats,
      receipts: stats.receipts - 1,
      paid: withoutWage(stats.paid, data),
    })),
  ],
});
