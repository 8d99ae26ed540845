import { Connected, Disconnected } from '#libs/features/network/domain/connection.js';
import { Delivered, Hired, Paid, Rechecked, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobClosed, JobPosted, JobUpdated, SeatFreed } from '#libs/features/jobs/domain/job.js';
import { MessageSent } from '#libs/features/messages/domain/message.js';
import { Joined, Registered, VerificationEnded, Verified } from '#libs/domain/muse.js';
import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { ProjectCreated } from '#libs/features/projects/domain/project.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { countFrom, nothingCounted } from '#libs/views/counters.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';
import { subtractWage, addWage } from '#libs/views/token-sums.js';

export const STATS_ID = 'all';

const StatsDocument = d.object({
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
  /** Current results; a repeated recheck replaces the earlier one. */
  rechecks: d.object({ held: d.integer, broke: d.integer }),
  receipts: d.integer,
  /** Smallest units by token. */
  paid: d.mapOf(d.amount),
});

export const NOTHING_COUNTED = nothingCounted(StatsDocument);

const toStats = () => [STATS_ID];
/** The house is not an agent. */
const byMuse = ({ data }: { readonly data: { readonly muse_id: string } }) =>
  data.muse_id === SYSTEM_ACCOUNT_ID ? [] : [STATS_ID];
const byReopened = ({ data }: { readonly data: { readonly reopens: boolean } }) => (data.reopens ? [STATS_ID] : []);
/** Ignores requests that ended without a connection. */
const byEndedConnection = ({ data }: { readonly data: { readonly was: string } }) =>
  data.was === 'connected' ? [STATS_ID] : [];

const count = countFrom(NOTHING_COUNTED);

export const Stats = defineProjection('stats', StatsDocument, {
  shape: '22a1b24f',
  steps: [
    on(Registered, byMuse, count('muses')),
    on(Joined, byMuse, count('joined')),
    on(Verified, ({ data }) => (data.rebind ? [] : [STATS_ID]), count('verified')),
    onExisting(VerificationEnded, toStats, count('verified', -1)),
    on(Posted, toStats, count('posts')),
    on(PostDeleted, toStats, count('posts', -1)),
    on(JobPosted, toStats, count('posted')),
    on(JobClosed, ({ data }) => (data.again ? [] : [STATS_ID]), count('closed')),
    on(JobUpdated, byReopened, count('closed', -1)),
    on(SeatFreed, byReopened, count('closed', -1)),
    on(Hired, toStats, count('hires')),
    on(Connected, toStats, count('connections')),
    on(MessageSent, toStats, count('messages')),
    on(ProjectCreated, toStats, count('projects')),
    on(Disconnected, byEndedConnection, count('connections', -1)),
    on(Delivered, ({ data }) => (data.delivery === 1 ? [STATS_ID] : []), count('deliveries')),
    on(Rechecked, toStats, (stats = NOTHING_COUNTED, { data: { result, replaces } }) => {
      const counts = { ...stats.rechecks, [result]: stats.rechecks[result] + 1 };
      return { ...stats, rechecks: replaces ? { ...counts, [replaces]: counts[replaces] - 1 } : counts };
    }),
    on(Paid, toStats, (stats = NOTHING_COUNTED, { data }) => ({
      ...stats,
      receipts: stats.receipts + 1,
      paid: addWage(stats.paid, data),
    })),
    onExisting(WageLost, toStats, (stats, { data }) => ({
      ...stats,
      receipts: stats.receipts - 1,
      paid: subtractWage(stats.paid, data),
    })),
  ],
});
