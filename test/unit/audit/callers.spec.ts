import { expect, test } from '@jest/globals';
import { REQUEST_RULES } from '#libs/service/decision-table.js';
import { CallerCheck } from '#libs/audit/checks/callers.js';
import type { ExaminedEvent } from '#libs/audit/checks/check.js';
import { Findings } from '#libs/audit/findings.js';
import { AuditState } from '#libs/audit/rules/audit-state.js';
import { canWriteWhileSuspended } from '#libs/domain/suspension.js';
import * as muses from '#libs/domain/muse.js';
import type { AnyEventType } from '#libs/domain/define.js';
import { FEATURES } from '#libs/features/features.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { Authorization, Event, Fact } from '#libs/kernel/event.js';
import { requireEventType } from '#libs/kernel/event-type.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { SALES } from '#libs/service/sales.js';
import { exampleFact } from '../../vectors/example-facts.js';

const ACTOR = 'agent_worker0000';
const STREAM = muses.Muse.streamName(ACTOR);
const [KEY, NEW_KEY] = ['A'.repeat(43), `${'A'.repeat(42)}E`];
const HASH = sha256Hex('a token');
const [NOW, HOUR] = [1_700_000_000_000, 3_600_000];

const factOf = (type: AnyEventType, changed: object = {}): Fact => {
  const fact = exampleFact(type);
  return { ...fact, data: { ...(fact.data as object), muse_id: ACTOR, ...changed } };
};

const registered = factOf(muses.Registered, { public_key: KEY });
const joined = factOf(muses.Joined);
const issuedData = { hash: HASH, expires_at: NOW + HOUR };
const issued = factOf(muses.TokenIssued, issuedData);
const suspended = factOf(muses.Suspended);
const HELD = [registered, joined, issued];

const signed = (endpoint: string, public_key = KEY, fields: object | null = null) =>
  ({ mode: 'signature', endpoint, public_key, sealed: fields && { fields } }) as unknown as Authorization;
const bearer = (endpoint: string) =>
  ({ mode: 'bearer', endpoint, token: HASH.slice(0, 16), sealed: null }) as unknown as Authorization;

interface Act {
  readonly type: string;
  readonly authorization: Authorization;
  readonly history?: readonly Fact[];
  /** Null names no revision; by default it names the newest one. */
  readonly revision?: number | null;
  readonly at?: number;
  readonly cause?: string;
}

/** Problems of one event of ACTOR, after the history of its stream. */
function problemsOf({ type, authorization, history = HELD, revision, at = NOW, cause = 'request/1' }: Act) {
  const [findings, facts] = [new Findings(), new AuditState(SALES)];
  const eventOf = (fact: Fact, changed: object) => ({ ...fact, at: NOW, based_on: {}, ...changed }) as unknown as Event;
  for (const [index, fact] of history.entries())
    facts.applyEvent(
      eventOf(fact, {
        id: `${index}`,
        stream: STREAM,
        revision: index,
        authorization: { mode: 'service', reason: '' },
      }),
    );
  const named = revision === undefined ? history.length - 1 : revision;
  const based_on = named === null ? {} : { [STREAM]: named };
  const act = { stream: 'a-stream', revision: 0, actor: ACTOR, authorization, at, cause, based_on, id: 'act' };
  const opened = eventOf(exampleFact(requireEventType(type, EVENT_TYPES)), act);
  const check = new CallerCheck(findings, facts, REQUEST_RULES);
  check.examine({ shown: opened, opened } as unknown as ExaminedEvent);
  return findings.list.map(({ kind, problem }) => `${kind}: ${problem}`);
}

const accepted = { type: 'Accepted', authorization: signed('accept') };
const after = (type: string, authorization: Authorization, ...facts: Fact[]): Act => ({
  type,
  authorization,
  history: [...HELD, ...facts],
});

test('nothing is found in requests of an agent that may act', () => {
  expect(problemsOf(accepted)).toEqual([]);
  expect(problemsOf({ type: 'Applied', authorization: bearer('apply') })).toEqual([]);
  expect(problemsOf({ type: 'PaymentAccepted', authorization: signed('job') })).toEqual([]);
  const history = [registered];
  expect(problemsOf({ type: 'Joined', authorization: signed('join'), history })).toEqual([]);
});

test.each([
  ['an acceptance by a suspended agent', { ...accepted, history: [...HELD, suspended] }, 'suspended this identity'],
  [
    'an application by a linked agent',
    after('Applied', signed('apply'), factOf(muses.Linked, { to: 'agent_other00000' })),
    'is linked to agent_other00000',
  ],
  [
    'a closed job of a forgotten agent',
    after('JobClosed', signed('close'), factOf(muses.Forgotten)),
    'was erased by its owner',
  ],
  [
    'an endorsement with a replaced key',
    after('Endorsed', signed('endorse'), factOf(muses.KeyBound, { public_key: NEW_KEY, replaces: KEY })),
    'has been replaced',
  ],
  [
    'a post with a revoked token',
    after('Posted', bearer('post'), factOf(muses.TokenRevoked, { hashes: [HASH] })),
    'unknown, expired or revoked',
  ],
  ['a post with an expired token', { type: 'Posted', authorization: bearer('post'), at: NOW + HOUR }, 'expired'],
  [
    'a job of an agent that had not joined',
    { type: 'JobPosted', authorization: signed('job'), history: [registered] },
    'join',
  ],
  ['an act of an unknown agent', { ...accepted, history: [], revision: 0 }, 'No identity'],
  ['a payment of a suspended agent', after('PaymentAccepted', signed('pay'), suspended), 'suspended this identity'],
  [
    'a message that names no revision of its sender',
    { type: 'MessageSent', authorization: signed('message'), revision: null },
    'does not name the revision',
  ],
] as const)('%s is found', (_what, act, sentence) => {
  expect(problemsOf(act as Act)).toEqual([expect.stringMatching(new RegExp(`^decision: .*${sentence}`))]);
});

test('a suspended agent may revoke its tokens, and issue none', () => {
  const history = [...HELD, suspended];
  const revoke = { type: 'TokenRevoked', authorization: signed('token', KEY, { action: 'revoke' }), history };
  expect(problemsOf(revoke)).toEqual([]);
  expect(problemsOf({ ...revoke, authorization: signed('token') })).toEqual([]);
  expect(problemsOf({ ...revoke, authorization: signed('token', KEY, { action: 'rotate' }) })).toHaveLength(1);
  expect(problemsOf({ ...revoke, type: 'TokenIssued', authorization: signed('token') })).toHaveLength(1);
});

test('a suspended muse keeps inbox, whoami, keys, forget and token revocation', () => {
  const endpoints = FEATURES.flatMap(({ commands, privateQueries }) => [...commands, ...privateQueries]);
  const openTo = (type: string) =>
    endpoints.flatMap(({ endpoint }) => (canWriteWhileSuspended(endpoint, type) ? [endpoint] : [])).sort();
  expect(openTo('TokenRevoked')).toEqual(['forget', 'inbox', 'key', 'recover', 'recovery', 'token', 'whoami']);
  expect(openTo('TokenIssued')).toEqual(['forget', 'inbox', 'key', 'recover', 'recovery', 'whoami']);
});

test('an effect of a payment rests on the agent at the acceptance of the payment', () => {
  const history = [...HELD, suspended];
  expect(problemsOf({ type: 'JobPosted', authorization: signed('job'), history, cause: 'accepted' })).toEqual([]);
});

test('a request beyond the scope of its token is found', () => {
  const limited = (scope: string) => [registered, joined, factOf(muses.TokenIssued, { ...issuedData, scope })];
  expect(problemsOf({ type: 'KeyBound', authorization: bearer('key'), history: limited('work') })).toEqual([
    expect.stringContaining('This token has the scope `work`'),
  ]);
  expect(problemsOf({ type: 'Applied', authorization: bearer('apply'), history: limited('work') })).toEqual([]);
  expect(problemsOf({ type: 'Applied', authorization: bearer('apply'), history: limited('read') })).toHaveLength(1);
  expect(problemsOf({ type: 'InboxHandedOut', authorization: bearer('inbox'), history: limited('read') })).toEqual([
    expect.stringContaining('only ends itself'),
  ]);
  expect(problemsOf({ type: 'TokenRevoked', authorization: bearer('token'), history: limited('read') })).toEqual([]);
});
