import { describe, expect, test } from '@jest/globals';
import { instant } from '#libs/features/instant/instant.js';
import { instantSubmit } from '#libs/features/instant/instant-submit.js';
import { checkAnswer } from '#libs/features/instant/answer-checks.js';
import { claimText, nextTask, type TaskContext, PASSES_MAX, TASK_MS } from '#libs/features/instant/task-factory.js';
import { IdCollision, sha256Hex } from '#libs/kernel/ids.js';
import { resolveJsonPointer } from '#libs/kernel/json-pointer.js';
import type { Json } from '#libs/kernel/json.js';
import { isInstantChallenge } from '#libs/platform/signing/instant-challenge.js';
import { signNoble, publicKeyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Instant, INSTANT_KINDS, type InstantKind, type InstantTask } from '#libs/features/instant/domain/instant.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { type KnownMuse, Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { given, NOW, stateOf } from '../../given.js';
import { decides } from './deciding.js';
import { hired, houseJob, joined, told, WORKER } from './worlds.js';

const SEED = new Uint8Array(32).fill(5);
const muse = {
  ...stateOf(Muse, told('Registered', { muse_id: WORKER, public_key: publicKeyNoble(SEED) }), joined),
} as KnownMuse;
const keyless = { ...muse, public_key: null } as KnownMuse;
const post = { post: 410_987_654_321, at: NOW };
const occasion = (task: number, changed: Partial<TaskContext> = {}): TaskContext => ({
  muse,
  task,
  at: NOW,
  post,
  ...changed,
});
const FIRST = 800_000_000_000;
/** The next task for each of 200 numbers. */
const many = (state: Instant, changed: Partial<TaskContext> = {}) =>
  Array.from({ length: 200 }, (_, n) => nextTask(state, occasion(FIRST + n, changed)));
const kindsOf = (tasks: readonly { readonly kind: InstantKind }[]) =>
  [...new Set(tasks.map(({ kind }) => kind))].sort();

const asTask = (kind: InstantKind, changed: Partial<TaskContext> = {}): InstantTask => {
  const issued = many(Instant.initial, changed).find(task => task.kind === kind)!;
  return { ...issued, issuedAt: NOW, answered: null };
};
const issued = (changed: object = {}) => told('InstantTaskIssued', { expires_at: NOW + TASK_MS, ...changed });
const answered = (changed: object = {}) => told('InstantTaskAnswered', changed);
const wrong = { passed: false, digest: null, hire: null };
const tried = (...kinds: InstantKind[]) => kinds.map((kind, task) => issued({ kind, task: task + 1 }));

describe('a new task', () => {
  test('has any of the five kinds, except a kind that its muse cannot answer', () => {
    expect(kindsOf(many(Instant.initial))).toEqual([...INSTANT_KINDS].sort());
    expect(kindsOf(many(Instant.initial, { muse: keyless }))).not.toContain('signature');
    expect(kindsOf(many(Instant.initial, { post: null }))).not.toContain('claim');
  });

  test('has a kind that is new to its muse, while there is one', () => {
    const state = stateOf(Instant, ...tried('hash', 'json', 'claim'));
    expect(kindsOf(many(state))).toEqual(['read', 'signature']);
    expect(kindsOf(many(state, { muse: keyless }))).toEqual(['read']);
  });

  test('repeats kinds that were not passed, but never a read', () => {
    const all = [...tried(...INSTANT_KINDS), answered({ task: 1, kind: 'hash' })];
    expect(kindsOf(many(stateOf(Instant, ...all)))).toEqual(['claim', 'json', 'signature']);
  });

  test('differs for each number and each muse', () => {
    const own = { post: null };
    const texts = many(Instant.initial, own).map(({ input }) => JSON.stringify(input));
    const others = many(Instant.initial, { ...own, muse: { ...muse, muse_id: 'agent_other00000' } });
    const inputs = texts.filter(text => !text.includes('path'));
    expect(new Set(inputs).size).toBe(inputs.length);
    expect(others.map(({ input }) => JSON.stringify(input)).filter(text => texts.includes(text))).toEqual([]);
  });

  test('is the same for a repetition, even without a post for claims', () => {
    expect(many(Instant.initial)).toEqual(many(Instant.initial));
    const others = many(Instant.initial).filter(({ kind }) => kind !== 'claim');
    for (const task of others) expect(nextTask(Instant.initial, occasion(task.task, { post: null }))).toEqual(task);
  });

  test('asks for a signature that has no meaning elsewhere', () => {
    const { task, input } = asTask('signature');
    const { challenge } = input as { challenge: string };
    expect(challenge.split('\n').slice(0, 3)).toEqual(['service-instant-v1', String(task), WORKER]);
    expect(isInstantChallenge(challenge, task, WORKER)).toBe(true);
    expect(isInstantChallenge(challenge, task + 1, WORKER)).toBe(false);
    expect(isInstantChallenge(`${challenge}\nmore`, task, WORKER)).toBe(false);
  });

  test('has true and false claims', () => {
    const claims = many(Instant.initial).filter(({ kind }) => kind === 'claim');
    const truths = claims.map(({ input }) => (input as { claim: string }).claim === claimText(NOW));
    expect(new Set(truths)).toEqual(new Set([true, false]));
  });
});

describe('an answer', () => {
  const post = stateOf(Post, told('Posted'));
  const check = (task: InstantTask, answer: string) => checkAnswer(task, answer, { muse, post });
  const inputOf = (task: InstantTask) => task.input as { readonly [name: string]: string };

  test('to a hash task is the sha256 in lower-case hex', () => {
    const task = asTask('hash');
    const hash = sha256Hex(inputOf(task)['text']!);
    expect(check(task, hash).passed).toBe(true);
    expect(check(task, hash.toUpperCase())).toEqual({ passed: false, why: expect.stringContaining('lower-case') });
  });

  test('to a signature task is signed with the muse’s own key', () => {
    const task = asTask('signature');
    const challenge = inputOf(task)['challenge']!;
    expect(check(task, signNoble(SEED, challenge)).passed).toBe(true);
    expect(check(task, signNoble(new Uint8Array(32).fill(6), challenge)).passed).toBe(false);
    expect(checkAnswer(task, signNoble(SEED, challenge), { muse: keyless, post: undefined }).passed).toBe(false);
    expect(check(task, 'none').passed).toBe(false);
  });

  test('to a document task is the value as JSON, with any spacing', () => {
    for (const task of many(Instant.initial).filter(({ kind }) => kind === 'json')) {
      const { document, pointer } = task.input as { document: Json; pointer: string };
      const value = resolveJsonPointer(document, pointer);
      expect(value).toBeDefined();
      const whole = { ...task, issuedAt: NOW, answered: null };
      expect(check(whole, ` ${JSON.stringify(value)} `).passed).toBe(true);
      for (const other of [JSON.stringify(value).slice(1), '', '{', '"\\ud800"', '[]'])
        expect(check(whole, other).passed).toBe(false);
    }
  });

  test('to a read task is the value that the read shows', () => {
    expect(check(asTask('read'), String(NOW)).passed).toBe(true);
    expect(check(asTask('read'), `"${NOW}"`).passed).toBe(false);
  });

  test('to a claim task says whether the claim is true', () => {
    const task = { ...asTask('claim'), input: { post_id: 1, claim: claimText(NOW) } };
    expect(check(task, 'true')).toEqual({ passed: true, why: 'The claim is true.' });
    expect(check(task, 'false')).toEqual({ passed: false, why: 'The claim is not false.' });
    expect(check(task, 'yes')).toEqual({ passed: false, why: 'Your answer is neither true nor false.' });
    expect(check({ ...task, input: { post_id: 1, claim: claimText(NOW + 1) } }, 'false').passed).toBe(true);
  });
});

describe('asking for a task', () => {
  const ask = (reads: object = {}) =>
    decides(instant, {}, WORKER, { reads: { muse, role: Job.initial, ...reads }, given: null });

  test('issues a task, and no other while it is unanswered', () => {
    given(Instant).when(ask()).thenTypes('InstantTaskIssued');
    given(Instant, issued()).when(ask()).thenNothing();
    given(Instant, issued(), answered(wrong)).when(ask()).thenTypes('InstantTaskIssued');
    given(Instant, issued({ expires_at: NOW }))
      .when(ask())
      .thenTypes('InstantTaskIssued');
  });

  test('issues no task after three passes', () => {
    const passed = Array.from({ length: PASSES_MAX }, (_, task) => [issued({ task }), answered({ task })]).flat();
    given(Instant, ...passed)
      .when(ask())
      .thenNothing();
  });

  test('throws if another task has the number', () => {
    given(Instant)
      .when(ask({ role: stateOf(Job, houseJob()) }))
      .thenThrows(IdCollision);
  });

  test('is refused while the muse is suspended', () => {
    given(Instant)
      .when(ask({ muse: { ...muse, suspended: true } }))
      .thenRefused('suspended');
  });
});

describe('answering a task', () => {
  const { task, input } = issued().data as { task: number; input: { text: string } };
  const RIGHT = sha256Hex(input.text);
  const send = (answer: string, { id = task, taken = Hire.initial } = {}) =>
    decides(instantSubmit, { id: String(id), answer }, WORKER, { reads: { muse, post: undefined, taken } });

  test('passes or fails it', () => {
    const [right] = given(Instant, issued()).when(send(RIGHT)).thenTypes('InstantTaskAnswered');
    expect(right!.data).toMatchObject({ passed: true, digest: sha256Hex(RIGHT), hire: expect.any(Number) });
    const [other] = given(Instant, issued()).when(send('other')).thenTypes('InstantTaskAnswered');
    expect(other!.data).toMatchObject({ passed: false, digest: null, hire: null });
  });

  test('works once, and repeats only the same answer', () => {
    given(Instant, issued(), answered({ answer: 'one' }))
      .when(send('one'))
      .thenNothing();
    given(Instant, issued(), answered({ answer: 'one' }))
      .when(send('two'))
      .thenRefused('already_answered');
    given(Instant, issued(), answered({ answer: null }))
      .when(send('one'))
      .thenRefused('already_answered');
  });

  test('is refused for an unknown or expired task', () => {
    given(Instant, issued())
      .when(send(RIGHT, { id: 5 }))
      .thenRefused('not_found', 'id');
    given(Instant, issued({ expires_at: NOW }))
      .when(send(RIGHT))
      .thenRefused('task_expired');
  });

  test('throws if a passing answer would take the id of a hire', () => {
    const taken = stateOf(Hire, hired());
    given(Instant, issued()).when(send(RIGHT, { taken })).thenThrows(IdCollision);
    given(Instant, issued()).when(send('wrong', { taken })).thenTypes('InstantTaskAnswered');
  });
});
