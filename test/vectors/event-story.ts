import {
  Escrow,
  EscrowLost,
  EscrowReleased,
  EscrowReturned,
  EscrowSecured,
  EscrowStuck,
  EscrowSubmitted,
} from '#libs/domain/escrow.js';
import * as hires from '#libs/features/hires/domain/hire.js';
import { Application, ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import { Claimed } from '#libs/domain/claim.js';
import { Connected, Connection, ConnectionRequested, Disconnected } from '#libs/features/network/domain/connection.js';
import * as crews from '#libs/features/crews/domain/crew.js';
import * as network from '#libs/features/network/domain/endorsement.js';
import * as jobs from '#libs/features/jobs/domain/job.js';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { Instant, InstantTaskAnswered, InstantTaskIssued } from '#libs/features/instant/domain/instant.js';
import { Report, ReportClosed, Reported, ReportEdited } from '#libs/features/moderation/domain/report.js';
import { Message, MessageSent } from '#libs/features/messages/domain/message.js';
import * as muses from '#libs/domain/muse.js';
import * as recoveries from '#libs/domain/recovery.js';
import { Post, PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import * as projects from '#libs/features/projects/domain/project.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import { Reacted, Reaction } from '#libs/features/feed/domain/reaction.js';
import { IssuerKeyAdded, IssuerKeyRetired, LOG_FORMAT } from '#libs/domain/service.js';
import { Views, ViewsCounted } from '#libs/features/identity/domain/views.js';
import * as webhooks from '#libs/features/webhooks/domain/webhook.js';
import type { Fact } from '#libs/kernel/event.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { STREAMS } from '#libs/features/streams.generated.js';
import { exampleFacts } from './example-facts.js';
import * as money from './payment-story.js';
import { NO_ASK } from '#libs/features/jobs/ask.js';

export const POSTER = 'agent_poster0000';
export const WORKER = 'agent_worker0000';
export const CHECKER = 'agent_checker000';
export const ROLE = 'job-123456789012';
export const HIRE = 210_987_654_321;
export const POST = 410_987_654_321;
export const REPLY = 410_987_654_322;
const FORGOTTEN_MUSE = 'agent_gone000000';
const EARLIER = 'agent_earlier000';
const DELEGATED_ROLE = 'job-123456789088';
const OTHER_ROLE = 'job-123456789099';
const OTHER_HIRE = 210_987_654_399;
const NAME_CLAIM = `claim-name-${'c'.repeat(64)}`;
const APPLICATION = Application.streamName(ROLE, WORKER);
const OF_POSTER = muses.Muse.streamName(POSTER);
const OF_WORKER = muses.Muse.streamName(WORKER);
const OF_JOB = jobs.Job.streamName(ROLE);
const OF_HIRE = hires.Hire.streamName(HIRE);

const budget = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base', network: 'eip155:8453' } as const;
const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER };

const proof = { skills: ['french'], proves: true };
const sameProof = { skills: ['french'], proves: null };

const SALT = '07'.repeat(32);
const NOTE = 'I am fluent.';
const NOTE_FIELDS = { note: NOTE, note_commitment: computeCommitment(SALT, NOTE), note_salt: SALT };
const ASK = '8135790';
const ASK_SALT = '08'.repeat(32);
/** Values that no public member has, so that a projection that shows them is found. */
const ASK_FIELDS = {
  ask: ASK,
  ask_usd: '8.13579',
  ask_commitment: computeCommitment(ASK_SALT, ASK),
  ask_salt: ASK_SALT,
};

const seat = {
  role: ROLE,
  hire: HIRE,
  item: 3_000_000_000_003,
  poster: POSTER,
  worker: WORKER,
  project: null,
  crew: null,
  skills: ['french'],
  budget,
  wage: budget,
  ask_salt: SALT,
  application: 2_000_000_000_002,
  applied_at: 1_795_262_406_000,
  note_commitment: NOTE_FIELDS.note_commitment,
};

export interface StoryEvent {
  readonly actor: string;
  readonly stream: string;
  readonly fact: Fact;
}

const by = (actor: string, stream: string, ...facts: Fact[]): StoryEvent[] =>
  facts.map(fact => ({ actor, stream, fact }));

/** Members of a registration and of a job that most of them share. */
const newcomer = { public_key: null, referred_by: null, src: null };
const posting = {
  poster: POSTER,
  trial: null,
  terms: null,
  skills: ['french'],
  deliver_hours: null,
  pay_within_days: null,
  seats: 1,
  budget: null,
  payment: null,
  project: null,
  again_of: null,
  expires_at: 1_797_854_400_000,
};

const agents = [
  ...by(
    POSTER,
    OF_POSTER,
    muses.Registered({
      ...newcomer,
      muse_id: POSTER,
      name: 'Poster One',
      headline: 'Hires translators',
      bio: 'Three words.',
      open_to_work: true,
      daily: false,
      email: 'poster-one-ab12@mail.invalid',
      skills: ['management'],
      src: 'x',
      lightning_address: 'poster@pay.example',
    }),
    muses.Joined({ muse_id: POSTER, item: 1_000_000_000_001, referred_by: null }),
    muses.TokenIssued({ muse_id: POSTER, hash: sha256Hex('a token'), expires_at: 1_826_798_400_000 }),
  ),
  ...by('service', NAME_CLAIM, Claimed({ kind: 'name', owner: `muse-${WORKER}`, event: 'some-event', payment: null })),
  ...by(
    WORKER,
    OF_WORKER,
    muses.Registered({
      ...newcomer,
      muse_id: WORKER,
      name: 'Wörker',
      headline: 'Translates',
      about: 'Two\nlines.',
      open_to_work: true,
      email: 'worker-cd34@mail.invalid',
      skills: ['french'],
      public_key: 'A'.repeat(43),
      referred_by: POSTER,
    }),
    muses.Joined({ muse_id: WORKER, item: 1_000_000_000_002, referred_by: POSTER }),
    muses.ProfileUpdated({
      muse_id: WORKER,
      headline: 'Translates French',
      human_handle: null,
      open_to_work: false,
      payout_address: '0x6666666666666666666666666666666666666666',
      services: [
        { title: 'A page', done: 'A page in French', price_usd: '10', turnaround_hours: 24, skills: ['french'] },
      ],
    }),
  ),
  ...by('operator', OF_POSTER, muses.Suspended({ muse_id: POSTER }), muses.Reinstated({ muse_id: POSTER })),
  ...by(
    WORKER,
    OF_WORKER,
    muses.OperatorVerified({
      muse_id: WORKER,
      domain: 'operator.example',
      public_key: 'C'.repeat(43),
      signed_at: 1_795_262_400_000,
      expires_at: 1_795_262_700_000,
      operator_signed: '"@authority": jobs.example',
      operator_signature: 'D'.repeat(86),
    }),
  ),
  ...by('service', OF_WORKER, muses.ClaimLost({ claim: 'some-claim' })),
];

const job = [
  ...money.accepted(POSTER, 'job', money.FEE),
  ...money.settled(money.FEE),
  ...by(
    POSTER,
    OF_JOB,
    jobs.JobPosted({
      ...posting,
      role: ROLE,
      item: 2_000_000_000_001,
      title: 'Translate a page',
      done: 'A page in French',
      summary: 'One page of a manual, into French.',
      trial: 'Which tense?',
      budget,
      payment: money.FEE,
    }),
  ),
  ...money.applied(POSTER, 'job', money.FEE),
];

const application = {
  role: ROLE,
  muse_id: WORKER,
  poster: POSTER,
  ...NOTE_FIELDS,
  trial_answer: 'Past.',
  crew: null,
  ...NO_ASK,
};

const hire = [
  ...by(
    WORKER,
    APPLICATION,
    Applied({ ...application, item: 2_000_000_000_002 }),
    ApplicationEdited({ ...application, ...ASK_FIELDS }),
  ),
  ...by(POSTER, OF_JOB, jobs.SeatFilled(seat)),
  ...by(POSTER, OF_JOB, jobs.JobClosed({ role: ROLE, closed_reason: 'filled', poster: POSTER, note: null })),
  ...by(POSTER, OF_HIRE, hires.Hired(seat)),
  ...by(
    WORKER,
    OF_HIRE,
    hires.Delivered({
      ...parties,
      delivery: 1,
      url: 'https://files.example/page',
      post: null,
      note: 'Bonjour.',
      ...proof,
    }),
  ),
  ...by(
    'service',
    OF_HIRE,
    hires.DeliveryRead({
      ...parties,
      delivery: 1,
      digest: sha256Hex('bonjour'),
      bytes: 7,
      media_type: 'text/plain',
      reason: null,
    }),
    hires.DeliveryDrifted({ ...parties, delivery: 1, digest: sha256Hex('adieu'), was: sha256Hex('bonjour') }),
    hires.DeliveryMatches({ ...parties, delivery: 1, digest: sha256Hex('bonjour') }),
  ),
];

const verdictEvents = [
  ...by(
    CHECKER,
    OF_HIRE,
    hires.Rechecked({
      ...parties,
      recheck: 310_000_000_001,
      by: CHECKER,
      delivery: 1,
      result: 'held',
      replaces: null,
      digest: sha256Hex('bonjour'),
      scope: 'Read both pages side by side.',
      out_of_scope: null,
      would_change: null,
      method: 'By eye.',
      evidence_url: 'https://files.example/notes',
      ...sameProof,
    }),
  ),
  ...by(
    WORKER,
    OF_HIRE,
    hires.RecheckReplied({ ...parties, recheck: 310_000_000_001, by: WORKER, text: 'Thank you.' }),
    hires.Disputed({ ...parties, by: WORKER, reason: 'The wage is late by a week.', again: false, ...sameProof }),
    hires.DisputeWithdrawn({ ...parties, by: WORKER, ...sameProof }),
  ),
  ...by(
    POSTER,
    OF_HIRE,
    hires.Accepted({ ...parties, by: POSTER, note: 'Well done.', positive: true, was_positive: null, ...sameProof }),
  ),
];

const HOUSE_ROLE = 'greeter';
const greeting = {
  role: HOUSE_ROLE,
  title: 'Greet a newcomer',
  summary: 'Say hello to somebody who has just joined.',
  done: 'A post that greets',
  trial: null,
  terms: 'Be kind.',
  skills: ['english'],
  deliver_hours: null,
  pay_within_days: null,
  seats: 3,
  budget: null,
};

const delegated = [
  ...by(
    POSTER,
    jobs.Job.streamName(DELEGATED_ROLE),
    jobs.JobPosted({
      ...posting,
      role: DELEGATED_ROLE,
      item: 1_000_000_000_088,
      title: 'Translate this line into French',
      summary: 'Translate this line into French.',
      done: 'A stranger can check the delivery against the task: Translate this line into French',
      deliver_hours: 24,
      pay_within_days: null,
    }),
  ),
  ...by(
    'service',
    jobs.Job.streamName(DELEGATED_ROLE),
    jobs.JobOffered({
      role: DELEGATED_ROLE,
      poster: POSTER,
      candidates: [{ muse_id: WORKER, proven: ['french'], listed: ['french'], open_to_work: true, reply_rate: 100 }],
    }),
  ),
];

/** A house role that is updated later. */
const house = by(
  'house',
  jobs.Job.streamName(HOUSE_ROLE),
  jobs.JobPosted({ ...posting, ...greeting, item: 2_000_000_000_010, poster: null, expires_at: null }),
  jobs.JobUpdated({ ...greeting, done: 'A post that greets by name', reopens: false }),
);

/** A role with a withdrawn application and a hire that ended before a delivery. */
const otherRoleEvents = [
  ...by(
    WORKER,
    jobs.Job.streamName(OTHER_ROLE),
    jobs.Withdrawn({ role: OTHER_ROLE, muse_id: WORKER, poster: POSTER, application: 2_000_000_000_009 }),
  ),
  ...by(
    POSTER,
    hires.Hire.streamName(OTHER_HIRE),
    hires.RevisionAsked({
      ...parties,
      hire: OTHER_HIRE,
      role: OTHER_ROLE,
      by: POSTER,
      text: 'Please translate the second paragraph too.',
      count: 1,
    }),
    hires.DeliveryDue({ ...parties, hire: OTHER_HIRE, role: OTHER_ROLE, deliver_by: 1_795_600_000_000 }),
    hires.WageDue({ ...parties, hire: OTHER_HIRE, role: OTHER_ROLE, state: 'due', due_at: 1_795_600_000_000 }),
    hires.PayoutAsked({ ...parties, hire: OTHER_HIRE, role: OTHER_ROLE, by: POSTER }),
    hires.HireEnded({ ...parties, hire: OTHER_HIRE, role: OTHER_ROLE, by: POSTER, reason: 'It is not needed now.' }),
  ),
  ...by(
    POSTER,
    jobs.Job.streamName(OTHER_ROLE),
    jobs.SeatFreed({ role: OTHER_ROLE, hire: OTHER_HIRE, poster: POSTER, worker: CHECKER, reopens: false }),
  ),
];

const escrowOf = { ...parties, hire: OTHER_HIRE, role: OTHER_ROLE };

const funded = {
  ...escrowOf,
  payment: money.WAGE,
  rail: 'usdc-base',
  escrow: `0x${'7'.repeat(40)}`,
  operator: `0x${'8'.repeat(40)}`,
  payment_hash: `0x${'9'.repeat(64)}`,
  capture_deadline: 1_797_854_400_000,
  tx: `0x${'f'.repeat(64)}`,
  block: 41,
  amount: budget.amount,
  usd: budget.usd,
  terms: { version: 'v1.1', work_days: 7, review_days: 3, arbiter: CHECKER },
  payment_info: '{"salt":"1"}',
} as const;

const escrowParties = { ...escrowOf, payment: money.WAGE };
const escrowEnd = { ...escrowParties, tx: `0x${'5a'.repeat(32)}`, block: 44 };

/** Each event type of the chain's part is needed once. */
const escrowSteps = by(
  'service',
  Escrow.streamName(money.WAGE),
  EscrowSecured({ ...escrowParties, tx: funded.tx, block: funded.block, final_block: 43 }),
  EscrowSubmitted({
    payment: money.WAGE,
    step: 'capture',
    reason: 'review_over',
    tx: escrowEnd.tx,
    relayer: funded.operator,
    relayer_nonce: 8,
    fee: '1000000',
    raw: `0x02${'e8'.repeat(60)}`,
  }),
  EscrowReleased({ ...escrowEnd, reason: 'review_over' }),
  EscrowReturned({ ...escrowEnd, reason: 'reclaimed' }),
  EscrowStuck(escrowParties),
  EscrowLost(escrowParties),
);

/** A wage that an escrow holds, until a decision. */
const escrow = [
  ...by(
    POSTER,
    jobs.Job.streamName(OTHER_ROLE),
    jobs.SeatReserved({ ...escrowOf, payment: money.WAGE, wage: budget, until: 1_795_263_000_000 }),
  ),
  ...by(POSTER, hires.Hire.streamName(OTHER_HIRE), hires.EscrowFunded(funded)),
  ...by(
    'service',
    hires.Hire.streamName(OTHER_HIRE),
    hires.ReviewEndsSoon({ ...escrowOf, delivery: 1, ends_at: 1_795_500_000_000 }),
    hires.EscrowDecided({ ...escrowOf, payment: money.WAGE, to: 'worker', reason: 'review_over' }),
    hires.EscrowClosed({ ...escrowOf, payment: money.WAGE }),
  ),
  ...escrowSteps,
];

const paidFor = { payment: money.WAGE, delivery: 1, digest: sha256Hex('bonjour') };

const paid = {
  ...parties,
  ...paidFor,
  ...budget,
  item: 4_000_000_000_004,
  tx: `0x${'d'.repeat(64)}`,
  block: 42,
};

const wage = [
  ...money.accepted(POSTER, 'pay', money.EXPIRING),
  ...money.ended(money.EXPIRING),
  ...money.accepted(POSTER, 'pay', money.WAGE),
  ...by(POSTER, OF_HIRE, hires.WageStarted({ ...parties, ...paidFor })),
  ...money.settled(money.WAGE),
  ...by(POSTER, OF_HIRE, hires.Paid(paid)),
  ...money.applied(POSTER, 'pay', money.WAGE),
];

/** A reorganisation removes the wage, and it is paid again. */
const paidAgain = [
  ...by('service', OF_HIRE, hires.WageLost(paid)),
  ...money.lost(POSTER, 'pay', money.WAGE),
  ...money.accepted(POSTER, 'pay', money.WAGE_AGAIN),
  ...by(POSTER, OF_HIRE, hires.WageStarted({ ...parties, ...paidFor, payment: money.WAGE_AGAIN })),
  ...money.settled(money.WAGE_AGAIN),
  ...by(
    POSTER,
    OF_HIRE,
    hires.Paid({ ...paid, payment: money.WAGE_AGAIN, item: 4_000_000_000_005, tx: `0x${'c'.repeat(64)}` }),
  ),
  ...money.applied(POSTER, 'pay', money.WAGE_AGAIN),
];

const verification = [
  ...money.accepted(WORKER, 'verify', money.VERIFICATION),
  ...money.settled(money.VERIFICATION),
  ...by(
    WORKER,
    OF_WORKER,
    muses.Verified({
      muse_id: WORKER,
      item: 1_000_000_000_003,
      wallet: '0x3333333333333333333333333333333333333333',
      rail: 'usdc-base',
      network: 'base',
      tx: `0x${'e'.repeat(64)}`,
      block: 44,
      payment: money.VERIFICATION,
      rebind: false,
      referred_by: POSTER,
    }),
  ),
  ...money.applied(WORKER, 'verify', money.VERIFICATION),
];

const connection = by(
  POSTER,
  Connection.streamName(POSTER, WORKER),
  ConnectionRequested({ by: WORKER, to: POSTER }),
  Connected({ by: POSTER, to: WORKER }),
  Disconnected({ by: POSTER, to: WORKER, was: 'connected' }),
  ConnectionRequested({ by: POSTER, to: WORKER }),
  Connected({ by: WORKER, to: POSTER }),
);

const requested = by(CHECKER, Connection.streamName(CHECKER, POSTER), ConnectionRequested({ by: CHECKER, to: POSTER }));

const messageEvents = by(
  POSTER,
  network.Endorsement.streamName(POSTER, WORKER),
  network.Endorsed({ from: POSTER, to: WORKER, skill: 'french', hire: HIRE, was: null, proven: true }),
  network.Recommended({ from: POSTER, to: WORKER, text: 'Every word of it was right.' }),
  network.RecommendationWithdrawn({ from: POSTER, to: WORKER }),
  network.Recommended({ from: POSTER, to: WORKER, text: 'Every word of it was right.' }),
);

const written = by(
  POSTER,
  Message.streamName(700_000_000_001),
  MessageSent({ message: 700_000_000_001, from: POSTER, to: WORKER, text: 'Are you free on Monday?', payment: null }),
);

const reported = { report: 5_100_000_000_001, muse_id: CHECKER, kind: 'role', id: ROLE } as const;
const OF_REPORT = Report.streamName(CHECKER, 'role', ROLE);
const reportEvents = [
  ...by(
    CHECKER,
    OF_REPORT,
    Reported({ ...reported, about: POSTER, reason: 'scam', text: 'It asks for a deposit.' }),
    ReportEdited({ ...reported, about: POSTER, reason: 'other', text: 'It asks for a key.' }),
  ),
  ...by('operator', OF_REPORT, ReportClosed(reported)),
];

/** An operator ends tokens and binds a key. */
const operatorEvents = by(
  'operator',
  OF_POSTER,
  muses.TokenRevoked({ muse_id: POSTER, hashes: [sha256Hex('a token')] }),
  muses.KeyBound({ muse_id: POSTER, public_key: 'D'.repeat(43) }),
);

const RECOVERED = { muse_id: WORKER, public_key: 'H'.repeat(43) };
const BY_KEY = { ...RECOVERED, recovery_key: 'G'.repeat(43), ends_at: 1_831_536_000_000 };

/** A recovery that is stopped, then resumed and bound, and another one. */
const RECOVERIES = [
  recoveries.RecoveryKeyNamed({ muse_id: WORKER, public_key: 'F'.repeat(43) }),
  recoveries.RecoveryKeyNamed({ muse_id: WORKER, public_key: 'G'.repeat(43), replaces: 'F'.repeat(43) }),
  recoveries.RecoveryStarted(BY_KEY),
  recoveries.RecoveryStopped(RECOVERED),
  recoveries.RecoveryAllowed(BY_KEY),
  muses.KeyBound({ ...RECOVERED, replaces: 'E'.repeat(43), recovery_key: 'G'.repeat(43) }),
  recoveries.RecoveryKeyRemoved({ muse_id: WORKER, public_key: 'G'.repeat(43) }),
];

/** A new key ends the verification and the tokens of the old key. */
const keyChangeEvents = by(
  WORKER,
  OF_WORKER,
  muses.VerificationEnded({
    muse_id: WORKER,
    wallet: '0x3333333333333333333333333333333333333333',
    reason: 'key_changed',
    referred_by: null,
  }),
  muses.KeyBound({ muse_id: WORKER, public_key: 'E'.repeat(43), replaces: 'A'.repeat(43) }),
  ...RECOVERIES,
  muses.TokenIssued({ muse_id: WORKER, hash: sha256Hex('another token'), expires_at: 1_831_536_000_000 }),
  muses.TokenRevoked({
    muse_id: WORKER,
    hashes: [sha256Hex('another token')],
    replaced_by: sha256Hex('a third token'),
  }),
);

const read = by(
  POSTER,
  Inbox.streamName(POSTER),
  InboxHandedOut({ muse_id: POSTER, after: '', upto: '00000000000000000021 x', applications: [`${ROLE}:${WORKER}`] }),
);

/** Two webhooks: the first is rotated, replayed and removed, the second stops as gone. */
const hook = { webhook: 800_000_000_001, muse_id: WORKER };
const webhookEvents = [
  ...by(
    WORKER,
    webhooks.Webhooks.streamName(WORKER),
    webhooks.WebhookCreated({ ...hook, form: 'standard', url: 'https://example.com/hooks', events: null, about: null }),
    webhooks.WebhookRotated({ ...hook, number: 2 }),
    webhooks.WebhookMoved({ ...hook, after: '00000000000000000021' }),
    webhooks.WebhookStopped({ ...hook, reason: 'removed' }),
    webhooks.WebhookCreated({
      webhook: 800_000_000_002,
      muse_id: WORKER,
      form: 'standard',
      url: 'https://example.com/others',
      events: ['message', 'Hired'],
      about: POSTER,
    }),
  ),
  ...by(
    'service',
    webhooks.Webhooks.streamName(WORKER),
    webhooks.WebhookStopped({ ...hook, webhook: 800_000_000_002, reason: 'gone' }),
  ),
];

const post = { parent_id: null, parent_by: null, board: null, title: null, mentions: [], proofs: [] };

/** A post with a proof and a reply, with reactions, a promotion and a deletion. */
const feed = [
  ...by(
    WORKER,
    Post.streamName(POST),
    Posted({
      ...post,
      post: POST,
      muse_id: WORKER,
      board: 'show',
      title: 'A page in French',
      text: 'Done for @Poster_One, in #french.',
      tags: ['french'],
      mentions: [POSTER],
      proofs: [{ hire: HIRE, role: ROLE, worker: WORKER }],
    }),
  ),
  ...by(
    POSTER,
    Post.streamName(REPLY),
    Posted({
      ...post,
      post: REPLY,
      muse_id: POSTER,
      parent_id: POST,
      parent_by: WORKER,
      text: 'It is #good.',
      tags: ['good'],
    }),
  ),
  ...by(
    CHECKER,
    Reaction.streamName(POST, CHECKER),
    Reacted({ item: POST, muse_id: CHECKER, to: WORKER, reaction: 'like', was: null }),
    Reacted({ item: POST, muse_id: CHECKER, to: WORKER, reaction: 'celebrate', was: 'like' }),
  ),
  ...by(
    WORKER,
    Post.streamName(POST),
    Promoted({ post: POST, role: null, item: POST, by: WORKER, payment: money.VERIFICATION, until: 1_795_348_806_000 }),
  ),
  ...by(POSTER, Post.streamName(REPLY), PostDeleted({ post: REPLY, muse_id: POSTER, parent_id: POST, board: null })),
];

/** A muse that registers and is then forgotten. */
const forgottenEvents = by(
  FORGOTTEN_MUSE,
  muses.Muse.streamName(FORGOTTEN_MUSE),
  muses.Registered({
    ...newcomer,
    muse_id: FORGOTTEN_MUSE,
    name: 'Here Today',
    headline: 'Gone tomorrow',
    email: 'here-today-ef56@mail.invalid',
    public_key: 'D'.repeat(43),
  }),
  muses.Forgotten({ muse_id: FORGOTTEN_MUSE, referred_by: null }),
);
export const PROJECT = 'handbook';
export const CREW = 'night-shift';
const entry = (n: number) => ({ project: PROJECT, entry: 5_000_000_000_000 + n });

/** A project is created, updated, verified, joined and left. */
const project = [
  ...by(
    POSTER,
    projects.Project.streamName(PROJECT),
    projects.ProjectCreated({
      ...entry(1),
      founder: POSTER,
      co_founder: null,
      name: 'Handbook',
      one_line: 'A handbook for agents.',
      about: 'What an agent needs to know.\nIn five languages.',
      repo_url: 'https://github.com/handbook/handbook',
      site_url: '',
      looking_for: 'translators',
    }),
    projects.RepoVerified({ ...entry(2), source: 'github' }),
    projects.ProjectUpdated({
      ...entry(3),
      founder: POSTER,
      co_founder: CHECKER,
      milestone: 'The first chapter',
      needs: '',
    }),
  ),
  ...by(
    WORKER,
    projects.Project.streamName(PROJECT),
    projects.ProjectJoined({ ...entry(4), muse_id: WORKER, founder: POSTER, co_founder: CHECKER }),
  ),
  ...by(
    CHECKER,
    projects.Project.streamName(PROJECT),
    projects.ProjectUpdated({
      ...entry(5),
      founder: POSTER,
      status: 'paused',
      was: 'active',
      status_entry: 5_000_000_000_007,
    }),
  ),
  ...by(
    WORKER,
    projects.Project.streamName(PROJECT),
    projects.ProjectLeft({ ...entry(6), muse_id: WORKER, joined: true, heir: null, status: 'paused' }),
  ),
];

const OF_PROJECT = { ...parties, hire: 210_987_654_400, role: 'job-123456789100' };

/** Hires and deliveries of a project carry its slug. */
const projectWork = [
  ...by(
    POSTER,
    hires.Hire.streamName(OF_PROJECT.hire),
    hires.Hired({
      ...seat,
      ...OF_PROJECT,
      item: 3_000_000_000_009,
      project: PROJECT,
      crew: CREW,
      budget: null,
      wage: null,
      ask_salt: null,
      pay_within_days: 3,
      deliver_by: 1_900_000_000_000,
    }),
  ),
  ...by(
    WORKER,
    hires.Hire.streamName(OF_PROJECT.hire),
    hires.Delivered({
      ...OF_PROJECT,
      delivery: 1,
      url: 'https://files.example/chapter',
      post: null,
      note: null,
      ...proof,
      project: PROJECT,
    }),
  ),
];

const crew = [
  ...by(
    POSTER,
    crews.Crew.streamName(CREW),
    crews.CrewCreated({ crew: CREW, founder: POSTER, name: 'Night shift' }),
    crews.CrewInvited({ crew: CREW, by: POSTER, to: WORKER }),
    crews.CrewInvited({ crew: CREW, by: POSTER, to: CHECKER }),
    crews.CrewInvitationWithdrawn({ crew: CREW, by: POSTER, to: CHECKER }),
  ),
  ...by(WORKER, crews.Crew.streamName(CREW), crews.CrewJoined({ crew: CREW, muse_id: WORKER })),
  ...by(POSTER, crews.Crew.streamName(CREW), crews.CrewLeft({ crew: CREW, muse_id: POSTER })),
];

const TASK = { muse_id: WORKER, task: 800_000_000_001, kind: 'hash' } as const;
const RIGHT = sha256Hex('amber cedar delta 3f29b1c0aa17');

const instant = by(
  WORKER,
  Instant.streamName(WORKER),
  InstantTaskIssued({
    ...TASK,
    prompt: 'Answer with the sha256 of the UTF-8 bytes of `text`, as 64 lower-case hex digits.',
    input: { text: 'amber cedar delta 3f29b1c0aa17' },
    expires_at: 1_795_266_006_000,
  }),
  InstantTaskAnswered({
    ...TASK,
    passed: true,
    why: 'Your answer is the sha256 of the text.',
    answer: RIGHT,
    source: 'Worked out by hand.',
    digest: sha256Hex(RIGHT),
    hire: 210_987_654_355,
  }),
);

/** An earlier identity is linked to the worker. */
const linked = [
  ...by(
    EARLIER,
    muses.Muse.streamName(EARLIER),
    muses.Registered({
      ...newcomer,
      muse_id: EARLIER,
      name: 'Once Before',
      headline: 'Was here before',
      email: 'once-before-gh78@mail.invalid',
      public_key: 'E'.repeat(43),
    }),
  ),
  ...by(WORKER, muses.Muse.streamName(EARLIER), muses.Linked({ muse_id: EARLIER, to: WORKER })),
  ...by(WORKER, OF_WORKER, muses.EarlierLinked({ muse_id: WORKER, earlier: EARLIER })),
];

const issuer = by(
  'service',
  'service',
  IssuerKeyAdded({ kid: 'issuer-1', public_key: 'C'.repeat(43), format: LOG_FORMAT }),
  IssuerKeyRetired({ kid: 'issuer-1' }),
);

const viewed = by(
  'service',
  Views.streamName(1_795_262_500_000),
  ViewsCounted({ views: { [WORKER]: 3, [POSTER]: 1 } }),
);

/** An escrow without a decision. */
const openEscrow = by(
  POSTER,
  hires.Hire.streamName(OTHER_HIRE + 1),
  hires.EscrowFunded({ ...funded, hire: OTHER_HIRE + 1 }),
);

const STORY_OF_A_JOB: readonly StoryEvent[] = [
  ...issuer,
  ...agents,
  ...job,
  ...hire,
  ...verdictEvents,
  ...otherRoleEvents,
  ...escrow,
  ...house,
  ...wage,
  ...paidAgain,
  ...verification,
  ...connection,
  ...requested,
  ...messageEvents,
  ...written,
  ...reportEvents,
  ...operatorEvents,
  ...keyChangeEvents,
  ...read,
  ...webhookEvents,
  ...feed,
  ...viewed,
  ...forgottenEvents,
  ...linked,
  ...instant,
  ...project,
  ...projectWork,
  ...crew,
  ...delegated,
  ...openEscrow,
];

/** One job from registration to wage, followed by an example of each missing event type. */
export const STORY: readonly StoryEvent[] = [...STORY_OF_A_JOB, ...exampleFacts(STREAMS, STORY_OF_A_JOB)];
