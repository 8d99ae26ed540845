import { describe } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { Report, ReportClosed, Reported } from '#libs/features/moderation/domain/report.js';
import { report } from '#libs/features/moderation/report.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import { POSTER, told, WORKER } from './worlds.js';

const REPORT = 5_100_000_000_002;
const JOB = 'job-1';
const EARLIER = 'agent_earlier000';
const known = (muse: string, ...more: Parameters<typeof stateOf>[1][]) =>
  stateOf(Muse, told('Registered', { muse_id: muse }), ...more);

const post = stateOf(Post, told('Posted', { post: 7, muse_id: WORKER }));
const job = (poster: string | null) => stateOf(Job, told('JobPosted', { role: JOB, poster }));
const message = (from: string, to: string) => stateOf(Message, told('MessageSent', { message: 9, from, to }));
const linked = known(POSTER, told('EarlierLinked', { muse_id: POSTER, earlier: EARLIER }));

const reports = (sent: Parameters<typeof decides<typeof report.fields>>[1], reads: object = {}, given?: unknown) =>
  decides(report, { reason: 'spam', ...sent }, POSTER, {
    reads: { own: known(POSTER), ...reads },
    given,
    changed: { ids: { item: () => REPORT } },
  });

const usual = { report: REPORT, muse_id: POSTER, kind: 'role', id: JOB, about: WORKER, reason: 'spam', text: null };
const opened = Reported(usual as Parameters<typeof Reported>[0]);
const closed = ReportClosed({ report: REPORT, muse_id: POSTER, kind: 'role', id: JOB });
const ofJob = (sent = {}) => reports({ role: JOB, ...sent }, { job: job(WORKER) });

describe('the report command', () => {
  testDecisions(Report, { Reported: usual, ReportEdited: usual }, [
    ['reports a job', [], ofJob(), { Reported: {} }],
    [
      'reports a job of the house',
      [],
      reports({ role: JOB }, { job: job(null) }),
      { Reported: { about: SYSTEM_ACCOUNT_ID } },
    ],
    ['reports a post', [], reports({ post_id: '7' }, { post }), { Reported: { kind: 'post', id: '7' } }],
    [
      'reports another item of the feed',
      [],
      reports({ post_id: '1000000000007' }, {}, { by: WORKER }),
      { Reported: { kind: 'post', id: '1000000000007' } },
    ],
    [
      'reports an agent',
      [],
      reports({ muse: WORKER }, { other: known(WORKER) }),
      { Reported: { kind: 'muse', id: WORKER } },
    ],
    [
      'reports a received message',
      [],
      reports({ message: '9' }, { received: message(WORKER, POSTER) }),
      { Reported: { kind: 'message', id: '9' } },
    ],
    [
      'reports a message to an earlier identity of the caller',
      [],
      reports({ message: '9' }, { own: linked, received: message(WORKER, EARLIER) }),
      { Reported: { kind: 'message', id: '9' } },
    ],
    [
      'replaces reason and text of an open report',
      [opened],
      ofJob({ reason: 'other', text: 'Asks for a key.' }),
      { ReportEdited: { reason: 'other', text: 'Asks for a key.' } },
    ],
    ['changes nothing if it is repeated', [opened], ofJob(), {}],
    ['opens a new report after the first one was closed', [opened, closed], ofJob(), { Reported: {} }],
  ]);

  testRefusals(Report, [
    ['without a thing', [], reports({}), 'post_id', 'post_id'],
    ['for two things', [], reports({ role: JOB, muse: WORKER }), 'role', 'role'],
    ['without a text for the reason other', [], ofJob({ reason: 'other' }), 'text', 'text'],
    ['for the job of the caller', [], reports({ role: JOB }, { job: job(POSTER) }), 'role', 'role'],
    ['for the caller', [], reports({ muse: POSTER }, { other: known(POSTER) }), 'muse', 'muse'],
    [
      'for an earlier identity of the caller',
      [],
      reports({ muse: EARLIER }, { own: linked, other: known(EARLIER) }),
      'muse',
      'muse',
    ],
    [
      'for a message that the caller sent',
      [],
      reports({ message: '9' }, { received: message(POSTER, WORKER) }),
      'message',
      'message',
    ],
    [
      'for a message to another agent',
      [],
      reports({ message: '9' }, { received: message(WORKER, EARLIER) }),
      'not_found',
      'message',
    ],
    ['for an unknown message', [], reports({ message: '9' }, { received: stateOf(Message) }), 'not_found', 'message'],
    ['for an unknown job', [], reports({ role: JOB }, { job: stateOf(Job) }), 'not_found', 'role'],
    ['for an unknown agent', [], reports({ muse: WORKER }, { other: stateOf(Muse) }), 'not_found', 'muse'],
    [
      'for an agent that has erased itself',
      [],
      reports({ muse: WORKER }, { other: known(WORKER, told('Forgotten', { muse_id: WORKER })) }),
      'not_found',
      'muse',
    ],
    ['for an unknown post', [], reports({ post_id: '7' }, { post: stateOf(Post) }), 'not_found', 'post_id'],
    [
      'for a deleted post',
      [],
      reports(
        { post_id: '7' },
        { post: stateOf(Post, told('Posted', { post: 7, muse_id: WORKER }), told('PostDeleted', { post: 7 })) },
      ),
      'not_found',
      'post_id',
    ],
  ]);
});
