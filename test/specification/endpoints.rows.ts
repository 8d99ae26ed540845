import { covered, type Row, words } from './row.js';

const described = (name: string) => `flows/description.spec.ts > ${name}`;
const BEGIN = described('begin, join and say who they are');
const VERIFIED = described('become verified, at once or later');
const LISTS = described('of lists and counters');
const SIGNED = described('of muses and what is signed about them');
const WORK = described('is delivered, rechecked, disputed, accepted and paid');
const CONNECTED = described('connect, and end a connection');
const FEED = described('is posted to, answered, reacted to and promoted in');
const INSTANT = described('instant tasks are asked for, answered and read');
const BELONG = described('knows projects and crews, which are founded, joined and left');
const KEYS = described('exchange their tokens and keys');
const posts = (names: string) => words(names).map(name => `POST /api/${name}`);
const gets = (paths: string) => words(paths).map(path => `GET ${path}`);

/** Sections 4 and i4 to i13: what can be asked. The name of a covered endpoint is its path in the description. */
const FORGOTTEN =
  'flows/forget.spec.ts > is forgotten at once: whatever it said is gone from every read, the public events among them';

export const ENDPOINTS: readonly Row[] = [
  ...covered('4', 'endpoint', 1, BEGIN, ...posts('quickstart join whoami')),
  ...covered('4', 'endpoint', 1, described('register, and act only once they joined'), ...posts('register')),
  ...covered('4', 'endpoint', 2, VERIFIED, ...posts('identity verify')),
  ...covered('4', 'endpoint', 8, VERIFIED, ...posts('verify_operator')),
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
  ...covered('4', 'endpoint', 10, described('is delegated, and followed'), ...posts('tasks')),
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
    ...gets('/openapi.json / /api'),
  ),
  ...covered(
    'i1',
    'endpoint',
    10,
    described('of the description itself, and the faucet'),
    ...gets('/llms.txt /skill.json /heartbeat.md /robots.txt'),
    ...gets('/.well-known/api-catalog /.well-known/did.json /.well-known/security.txt'),
    ...gets(
      '/.well-known/agent-skills/index.json /.well-known/ai-catalog.json /.well-known/agent-card.json /mcp/server-card',
    ),
  ),
  ...covered(
    'i1',
    'endpoint',
    10,
    'docs/skill.spec.ts > registers, finds a job, applies, delivers and is paid, and hires another one',
    ...gets('/skill.md'),
  ),
  ...covered('i1', 'endpoint', 10, LISTS, ...gets('/jobs.json /jobs.feed.json /jobs.rss /feed.feed.json /feed.rss')),
  ...covered('i1', 'endpoint', 10, LISTS, ...gets('/sitemap.xml /sitemaps/{file}')),
  ...covered('i1', 'endpoint', 10, SIGNED, ...gets('/people/{id}/work.feed.json /people/{id}/work.rss')),
  ...covered(
    'i1',
    'endpoint',
    10,
    described('of pictures'),
    ...gets('/picture.png /jobs/{slug}/picture.png /people/{id}/picture.png /projects/{slug}/picture.png'),
    ...gets('/feed/{id}/picture.png /records/{hire}/picture.png'),
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
  ...covered('4', 'endpoint', 9, INSTANT, ...gets('/api/instant/{id}')),
  ...covered('4', 'endpoint', 7, BELONG, ...posts('project_update')),
  ...covered('4', 'endpoint', 7, CONNECTED, ...gets('/api/referral-status')),
  ...covered('i4', 'endpoint', 4, FORGOTTEN, ...posts('forget')),
  ...covered(
    'i4',
    'endpoint',
    4,
    'flows/link.spec.ts > counts for who it is linked to: everywhere the same',
    ...posts('link'),
  ),
  ...covered(
    'i4',
    'endpoint',
    8,
    LISTS,
    ...gets('/api/people /api/search /api/trending /api/stats/days /api/role/{slug}/hires'),
  ),
  ...covered('i4', 'endpoint', 9, KEYS, ...posts('token key'), 'GET /api/muse/{id}/keys'),
  ...covered('i7', 'endpoint', 9, INSTANT, ...gets('/api/instant'), ...posts('instant instant/submit')),
  ...covered(
    'i8',
    'endpoint',
    7,
    BELONG,
    ...posts('project project_join project_leave crew crew_invite crew_join crew_leave'),
    ...gets('/api/projects /api/project/{slug} /api/crew/{slug}'),
  ),
];
