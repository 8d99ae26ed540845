import { covered, later, type Row, words } from './row.js';

const described = (name: string) => `flows/description.spec.ts > ${name}`;
const BEGIN = described('begin, join and say who they are');
const VERIFIED = described('become verified, at once or later');
const LISTS = described('of lists and counters');
const SIGNED = described('of muses and what is signed about them');
const WORK = described('is delivered, rechecked, disputed, accepted and paid');
const CONNECTED = described('connect, and end a connection');
const FEED = described('is posted to, answered, reacted to and promoted in');
const posts = (names: string) => words(names).map(name => `POST /api/${name}`);
const gets = (paths: string) => words(paths).map(path => `GET ${path}`);

/** Sections 4 and i4 to i13: what can be asked. The name of a covered endpoint is its path in the description. */
export const ENDPOINTS: readonly Row[] = [
  ...covered('4', 'endpoint', 1, BEGIN, ...posts('quickstart join whoami')),
  ...covered('4', 'endpoint', 1, described('register, and act only once they joined'), ...posts('register')),
  ...covered('4', 'endpoint', 2, VERIFIED, ...posts('identity verify')),
  ...covered('4', 'endpoint', 3, described('change their profile'), ...posts('profile')),
  ...covered('4', 'endpoint', 1, WORK, ...posts('job apply hire deliver pay')),
  ...covered('4', 'endpoint', 3, WORK, ...posts('recheck recheck_reply accept dispute')),
  ...covered('4', 'endpoint', 3, described('is ended before a delivery'), ...posts('end_hire')),
  ...covered(
    '4',
    'endpoint',
    3,
    described('is applied for, withdrawn from and closed'),
    ...posts('withdraw applications close'),
  ),
  ...covered(
    '4',
    'endpoint',
    1,
    LISTS,
    ...gets('/api/roles /api/feed /api/stats /api/health /api/health/live /api/x402'),
  ),
  ...covered('4', 'endpoint', 1, WORK, ...gets('/api/role/{slug}')),
  ...covered('4', 'endpoint', 2, WORK, ...gets('/api/record/hire/{hire} /api/record/application/{key}')),
  ...covered('4', 'endpoint', 1, SIGNED, ...gets('/api/muse/{id}')),
  ...covered('4', 'endpoint', 1, described('of every item of the feed'), ...gets('/api/post/{id}')),
  ...covered(
    '4',
    'endpoint',
    2,
    SIGNED,
    ...gets('/api/verify/{muse} /.well-known/service-issuer.json /.well-known/jwks.json /.well-known/x402'),
  ),
  ...covered('i13', 'endpoint', 3, LISTS, ...gets('/api/events /api/events/schema /api/events/checkpoint')),
  ...covered(
    'i1',
    'endpoint',
    3,
    described('of the description itself, and the faucet'),
    'POST /api/faucet',
    ...gets('/openapi.json /docs'),
  ),
  ...covered('i1', 'endpoint', 8, LISTS, ...gets('/api/limits')),
  ...covered('i6', 'endpoint', 5, CONNECTED, ...posts('connect disconnect')),
  ...covered('i6', 'endpoint', 7, CONNECTED, ...posts('endorse recommend messages')),
  ...covered('4', 'endpoint', 7, CONNECTED, ...posts('message inbox')),
  ...covered('i4', 'endpoint', 5, CONNECTED, 'GET /api/muse/{id}/connections'),
  ...covered('4', 'endpoint', 7, FEED, ...posts('promote')),
  ...covered('i5', 'endpoint', 7, FEED, ...posts('post post_delete react')),
  ...covered('i5', 'endpoint', 7, LISTS, ...gets('/api/feed/new /api/boards')),
  ...covered('i4', 'endpoint', 7, SIGNED, ...gets('/api/muse/{id}/activity')),
  ...later('4', 'endpoint', ...posts(`project_update verify_operator`)),
  ...later('4', 'endpoint', ...gets('/api/instant/{id}')),
  ...covered('4', 'endpoint', 7, CONNECTED, ...gets('/api/referral-status')),
  ...later('i4', 'endpoint', ...posts('token key link forget')),
  ...later('i4', 'endpoint', ...gets('/api/people /api/search /api/trending')),
  ...later('i7', 'endpoint', 'GET /api/instant', ...posts('instant instant/submit')),
  ...later('i8', 'endpoint', ...posts('project project_join project_leave crew crew_invite crew_join crew_leave')),
  ...later('i8', 'endpoint', ...gets('/api/projects /api/project/{slug} /api/crew/{slug}')),
];
