import type { Entity } from '#libs/kernel/decide.js';
import { type Event, type Fact, POSITION_WIDTH } from '#libs/kernel/event.js';
import { Claim } from '#libs/domain/claim.js';
import { Spending } from '#libs/domain/spending.js';
import { Report } from '#libs/features/moderation/domain/report.js';
import { Preferences } from '#libs/features/blocks/domain/preferences.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Endorsement } from '#libs/features/network/domain/endorsement.js';
import { OwnerRequests } from '#libs/features/identity/domain/owner-requests.js';
import { Views } from '#libs/features/identity/domain/views.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Project } from '#libs/features/projects/domain/project.js';
import { Reaction } from '#libs/features/feed/domain/reaction.js';
import { Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import { CREW, POST, PROJECT } from './vectors/event-story.js';
import * as world from './unit/features/worlds.js';

const { HIRE, POSTER, ROLE, WORKER } = world;
export const museOf = (n: number) => `agent_${String(n).padStart(10, '0')}`;

/** Events that can occur any number of times in one stream. */
export const GROWING_STREAMS: readonly [string, Entity<unknown>, readonly Fact[], (n: number) => Fact][] = [
  ['withdrawals of a job', Job, [world.plainJob()], n => world.told('Withdrawn', { muse_id: `agent_${n}` })],
  ['freed seats of a job', Job, [world.plainJob()], n => (n % 2 ? world.seatFreed() : world.seatFilled())],
  [
    'rechecks of a delivery',
    Hire,
    [world.hired(), world.delivered()],
    n => world.rechecked({ recheck: n, by: `agent_${n}`, replaces: null }),
  ],
  ['versions of a delivery', Hire, [world.hired()], n => world.delivered(n + 1)],
  ['tokens of a muse', Muse, [world.registered], n => world.told('TokenIssued', { hash: `${n}` })],
  [
    'keys of a muse',
    Muse,
    [world.registered],
    n => world.told('KeyBound', { public_key: `${n}`, replaces: `${n - 1}` }),
  ],
  [
    'rotated tokens of a muse',
    Muse,
    [world.registered],
    n => world.told('TokenRevoked', { hashes: [`${n}`], replaced_by: 'x' }),
  ],
  ['lost claims of a muse', Muse, [world.registered], n => world.told('ClaimLost', { claim: `${n}` })],
  ['promotions of a post', Post, [world.told('Posted')], () => world.told('Promoted')],
  ['reactions of one muse', Reaction, [], n => world.told('Reacted', { reaction: n % 2 ? 'like' : null })],
  ['suspensions of a muse', Muse, [world.registered], n => world.told(n % 2 ? 'Suspended' : 'Reinstated')],
  ['instant tasks of a muse', Instant, [], n => world.told('InstantTaskIssued', { task: n })],
  [
    'members of a project',
    Project,
    [world.told('ProjectCreated')],
    n => world.told('ProjectJoined', { muse_id: museOf(n) }),
  ],
  ['updates of a project', Project, [world.told('ProjectCreated')], () => world.told('ProjectUpdated')],
  [
    'used and unused invitations of a crew',
    Crew,
    [world.told('CrewCreated')],
    n => world.told(n % 2 ? 'CrewJoined' : 'CrewInvited', { to: museOf(n), muse_id: museOf(n) }),
  ],
  [
    'created and deleted webhooks of a muse',
    Webhooks,
    [],
    n => world.told(n % 2 ? 'WebhookCreated' : 'WebhookStopped', { webhook: n + (n % 2), reason: 'removed' }),
  ],
  [
    'failed webhooks of a muse',
    Webhooks,
    [],
    n => world.told(n % 2 ? 'WebhookCreated' : 'WebhookStopped', { webhook: n + (n % 2), reason: 'gone' }),
  ],
  [
    'new secrets of a webhook',
    Webhooks,
    [world.told('WebhookCreated', { webhook: 1 })],
    n => world.told('WebhookRotated', { webhook: 1, number: n + 1 }),
  ],
  ['updates of a profile', Muse, [world.registered], () => world.told('ProfileUpdated')],
  ['edits of an application', Application, [world.applied()], () => world.told('ApplicationEdited')],
  [
    'requests for a connection, accepted and ended',
    Connection,
    [],
    n => world.told(n % 2 ? 'Disconnected' : 'Connected'),
  ],
  ['endorsements of one muse by another', Endorsement, [], n => world.told('Endorsed', { skill: `skill-${n}` })],
  ['pages of an inbox', Inbox, [], () => world.told('InboxHandedOut')],
  ['counts of profile views', Views, [], n => world.told('ViewsCounted', { views: { [museOf(n)]: 1 } })],
  ['claims of a name', Claim, [], n => world.told('Claimed', { by: museOf(n) })],
  ['edits of a report', Report, [world.told('Reported')], () => world.told('ReportEdited')],
  ['blocks of a muse', Preferences, [], n => world.told('PreferenceChanged', { to: museOf(n), blocked: true })],
  ['payments of a token with a sum', Spending, [], n => world.told('SpendingCounted', { payment: `payment-${n}` })],
  ['requests of a token to its owner', OwnerRequests, [], n => world.told('OwnerAsked', { command: `command-${n}` })],
  ['payments of a muse', Claim, [], n => world.told('Claimed', { kind: 'muse', subjects: [`request-${n}`] })],
];

const roleOf = (n: number) => `job-${100_000_000_000 + n}`;
const hireOf = (n: number) => 200_000_000_000 + n;
const OTHER_ITEMS = 1_000_000;
const itemOf = (n: number) => 3_000_000_000_000 + n;

export type EventSketch = readonly [type: string, changed: object, stream: string];

/** Events that can occur any number of times for one muse, job or hire. */
export const REPEATED_EVENTS: { readonly [what: string]: (n: number) => readonly EventSketch[] } = {
  'free hires by one poster': n => {
    const [role, hire, worker] = [roleOf(n), hireOf(n), museOf(n)];
    const of = { role, hire, worker, poster: POSTER };
    return [
      ['JobPosted', { role, poster: POSTER, item: itemOf(n), budget: null }, `job-${role}`],
      ['Applied', { role, muse_id: worker, poster: POSTER, item: itemOf(n) + OTHER_ITEMS }, `application-${n}`],
      ['Hired', { ...of, budget: null, item: itemOf(n) }, `hire-${hire}`],
      ['Delivered', of, `hire-${hire}`],
    ];
  },
  'wages that one muse pays another': n => {
    const of = { role: ROLE, hire: hireOf(n), worker: WORKER, poster: POSTER };
    return [
      ['Hired', { ...of, item: itemOf(n) }, `hire-${of.hire}`],
      ['Delivered', of, `hire-${of.hire}`],
      ['Paid', { ...of, item: itemOf(n) + OTHER_ITEMS }, `hire-${of.hire}`],
    ];
  },
  'wages of one hire, paid and lost': n => [
    ['Paid', { hire: HIRE, item: itemOf(n) }, `hire-${HIRE}`],
    ['WageLost', { hire: HIRE }, `hire-${HIRE}`],
  ],
  'versions of one delivery': n => [
    ['Delivered', { hire: HIRE, delivery: n + 2 }, `hire-${HIRE}`],
    ['DeliveryRead', { hire: HIRE, delivery: n + 2 }, `hire-${HIRE}`],
  ],
  'rechecks of one delivery, answered': n => [
    ['Rechecked', { hire: HIRE, recheck: hireOf(n), by: museOf(n), replaces: null }, `hire-${HIRE}`],
    ['RecheckReplied', { hire: HIRE, recheck: hireOf(n), by: POSTER }, `hire-${HIRE}`],
  ],
  'drifts, verdicts and disputes of one hire': () =>
    ['DeliveryDrifted', 'DeliveryMatches', 'Accepted', 'Disputed', 'DisputeWithdrawn'].map((type): EventSketch => [
      type,
      { hire: HIRE },
      `hire-${HIRE}`,
    ]),
  'applications for one role': n => [
    ['Applied', { role: ROLE, muse_id: museOf(n), item: itemOf(n) }, `application-${n}`],
    ['ApplicationEdited', { role: ROLE, muse_id: museOf(n) }, `application-${n}`],
  ],
  'withdrawn and hired applications of one muse for one role': n => [
    ['Applied', { role: ROLE, muse_id: WORKER, item: itemOf(n) }, 'application-x'],
    ['ApplicationEdited', { role: ROLE, muse_id: WORKER }, 'application-x'],
    ['Withdrawn', { role: ROLE, muse_id: WORKER }, `job-${ROLE}`],
    ['Applied', { role: ROLE, muse_id: WORKER, item: itemOf(n) + OTHER_ITEMS }, 'application-x'],
    ['SeatFilled', { role: ROLE, worker: WORKER, hire: hireOf(n) }, `job-${ROLE}`],
    ['Hired', { role: ROLE, worker: WORKER, hire: hireOf(n) }, `hire-${hireOf(n)}`],
    ['HireEnded', { role: ROLE, worker: WORKER, hire: hireOf(n) }, `hire-${hireOf(n)}`],
    ['SeatFreed', { role: ROLE, worker: WORKER, hire: hireOf(n) }, `job-${ROLE}`],
  ],
  'created and deleted webhooks of one muse': n => {
    const of = { webhook: 800_000_000_000 + n, muse_id: WORKER };
    return [
      ['WebhookCreated', of, `webhook-${WORKER}`],
      ['WebhookMoved', of, `webhook-${WORKER}`],
      ['WebhookStopped', { ...of, reason: 'removed' }, `webhook-${WORKER}`],
    ];
  },
  'muses that mention a muse and get replies': n => {
    const post = 500_000_000_000 + n;
    return [
      ['Posted', { post, muse_id: museOf(n), mentions: [WORKER], parent_id: null, parent_by: null }, `post-${post}`],
      ['MessageSent', { message: 700_000_000_000 + n, from: WORKER, to: museOf(n) }, `message-${n}`],
    ];
  },
  'hourly counts of views of one profile': () => [['ViewsCounted', { views: { [WORKER]: 1 } }, 'views-2026-11-22']],
  'muses that join': n => [
    ['Registered', { muse_id: museOf(n) }, `muse-${museOf(n)}`],
    ['Joined', { muse_id: museOf(n), item: itemOf(n) }, `muse-${museOf(n)}`],
  ],
  'replies and reactions to one post, and its promotions': n => {
    const post = 500_000_000_000 + n;
    return [
      ['Posted', { post, parent_id: POST, parent_by: WORKER }, `post-${post}`],
      ['Reacted', { item: POST, muse_id: museOf(n), was: null }, `reaction-${POST}:${museOf(n)}`],
      ['Promoted', { post: POST, item: POST }, `post-${POST}`],
    ];
  },
  'posts of one muse with one tag on one board': n => {
    const post = 500_000_000_000 + n;
    return [
      ['Posted', { post, board: 'dev', tags: ['same'] }, `post-${post}`],
      ['PostDeleted', { post, muse_id: WORKER, board: 'dev', parent_id: null }, `post-${post}`],
    ];
  },
  'members, changes, jobs and hires of one project': n => {
    const [of, stream] = [{ project: PROJECT, entry: itemOf(n) }, `project-${PROJECT}`];
    const [role, hire, worker] = [roleOf(n), hireOf(n), museOf(n)];
    return [
      ['ProjectJoined', { ...of, muse_id: worker, entry: itemOf(n) + OTHER_ITEMS }, stream],
      ['ProjectUpdated', { ...of, founder: POSTER }, stream],
      ['RepoVerified', of, stream],
      ['JobPosted', { role, poster: POSTER, item: itemOf(n), budget: null, project: PROJECT }, `job-${role}`],
      ['Hired', { role, hire, worker, poster: POSTER, item: itemOf(n), project: PROJECT }, `hire-${hire}`],
      ['Delivered', { role, hire, worker, poster: POSTER, project: PROJECT }, `hire-${hire}`],
    ];
  },
  'projects and crews of one muse': n => [
    ['ProjectCreated', { project: `project-${n}`, entry: itemOf(n), founder: WORKER }, `project-project-${n}`],
    ['CrewCreated', { crew: `crew-${n}`, founder: WORKER }, `crew-crew-${n}`],
    ['CrewInvited', { crew: CREW, by: POSTER, to: museOf(n) }, `crew-${CREW}`],
  ],
};

export const SETUP_EVENTS: readonly EventSketch[] = [
  ['ProjectCreated', { project: PROJECT, founder: POSTER }, `project-${PROJECT}`],
  ['CrewCreated', { crew: CREW, founder: POSTER }, `crew-${CREW}`],
  ['Registered', { muse_id: POSTER }, `muse-${POSTER}`],
  ['Registered', { muse_id: WORKER }, `muse-${WORKER}`],
  ['JobPosted', { role: ROLE, poster: POSTER }, `job-${ROLE}`],
  ['Posted', { post: POST, muse_id: WORKER, parent_id: null }, `post-${POST}`],
  ['Hired', { hire: HIRE, role: ROLE, worker: WORKER, poster: POSTER }, `hire-${HIRE}`],
  ['Delivered', { hire: HIRE, delivery: 1 }, `hire-${HIRE}`],
];

export function toEvents(all: readonly EventSketch[]): Event[] {
  const revisions = new Map<string, number>();
  return all.map(([type, changed, stream], at) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const fact: Fact = world.told(type, changed);
    const position = String(1_000_000 + at).padStart(POSITION_WIDTH, '0');
    const authorization = { mode: 'service', reason: 'told' } as const;
    const meta = { at: 1_800_000_000_000 + at, actor: WORKER, cause: 'told', decided_by: 'told@1', based_on: {} };
    return {
      ...fact,
      ...meta,
      id: `00000000-0000-8000-8000-${position.slice(8)}`,
      stream,
      revision,
      position,
      authorization,
    };
  });
}
