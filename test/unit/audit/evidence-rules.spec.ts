import { describe, expect, test } from '@jest/globals';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import { addressOfTask } from '#libs/features/jobs/domain/instant-names.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Muse, OperatorVerified } from '#libs/domain/muse.js';
import { publicKeyNoble, signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { asEvents, NOW } from '../../given.js';
import { hired, told, WORKER } from '../features/worlds.js';
import { judge } from './judge.js';

const POST = 333_333_333_333;
const text = 'Both pages, côte à côte.';
const posted = (changed: object = {}) => told('Posted', { post: POST, muse_id: WORKER, text, ...changed });
const deleted = told('PostDeleted', { post: POST });
const { hire } = hired().data as { readonly hire: number };
const byPost = { hire, delivery: 1, url: null, post: POST };

/** Problems of a reading of a delivery, after the facts of another stream. */
function problemsOf(read: object, delivered: object, stream: string, ...facts: readonly Fact[]): readonly string[] {
  const reading = told('DeliveryRead', { hire, delivery: 1, reason: null, ...read });
  const hiring = [hired(), told('Delivered', { ...delivered, hire }), reading];
  return judge([...asEvents(facts, stream), ...asEvents(hiring, Hire.streamName(hire))]);
}

describe('a reading of a delivered post', () => {
  const postProblems = (read: object, ...facts: readonly Fact[]) =>
    problemsOf(read, byPost, Post.streamName(POST), ...facts);
  const right = { digest: sha256Hex(text), bytes: Buffer.byteLength(text), media_type: 'text/plain' };

  test('has the digest, byte size and media type of a post', () => {
    expect(postProblems(right, posted())).toEqual([]);
    expect(postProblems({ ...right, digest: sha256Hex('Neither.') }, posted())).toEqual([
      'Its digest does not match the delivered post.',
    ]);
    expect(postProblems({ ...right, bytes: text.length }, posted())).toEqual([
      'Its size does not match the delivered post.',
    ]);
    expect(postProblems({ ...right, media_type: 'text/html' }, posted())).toEqual([
      'Its media type is not that of a post.',
    ]);
  });

  test('is not checked once the post is deleted or erased', () => {
    const invented = { ...right, digest: sha256Hex('Neither.') };
    expect(postProblems(invented, posted(), deleted)).toEqual([]);
    expect(postProblems(invented, posted({ text: null }))).toEqual([]);
    expect(postProblems({ digest: null, bytes: 0, reason: 'erased' }, posted())).toEqual([]);
  });

  test('is not compared with the post of a later delivery', () => {
    const other = { ...byPost, delivery: 2 };
    expect(problemsOf({ ...right, delivery: 1 }, other, Post.streamName(POST), posted({ text: 'Neither.' }))).toEqual(
      [],
    );
  });
});

test('a reading of a task answer must have the digest of that answer', () => {
  const issued = told('InstantTaskIssued', { muse_id: WORKER });
  const { task } = issued.data as { readonly task: number };
  const answered = told('InstantTaskAnswered', {
    muse_id: WORKER,
    task,
    passed: true,
    digest: sha256Hex('Yes.'),
    hire,
  });
  const taskProblems = (text: string) =>
    problemsOf(
      { digest: sha256Hex(text), bytes: text.length },
      { delivery: 1, url: addressOfTask(task), post: null },
      Instant.streamName(WORKER),
      issued,
      answered,
    );
  expect(taskProblems('Yes.')).toEqual([]);
  expect(taskProblems('No.')).toEqual(['Its digest does not match the delivered answer.']);
});

test('verifies the signature of an operator again if the log still holds it', () => {
  const seed = new Uint8Array(32).fill(5);
  const signed = '"@authority": jobs.example\n"signature-agent": "https://operator.example"\n"@signature-params": ()';
  const proof = {
    muse_id: WORKER,
    domain: 'operator.example',
    public_key: publicKeyNoble(seed),
    signed_at: NOW - 1,
    expires_at: NOW + 60_000,
    operator_signed: signed,
    operator_signature: signNoble(seed, signed),
  };
  const problems = (changed: object = {}) =>
    judge(asEvents([OperatorVerified({ ...proof, ...changed })], Muse.streamName(WORKER)));
  expect(problems()).toEqual([]);
  expect(problems({ operator_signed: null, operator_signature: null })).toEqual([]);
  expect(problems({ operator_signature: signNoble(seed, 'else') })).toEqual([
    'The signature of its operator does not verify.',
  ]);
  expect(problems({ domain: 'other.example' })).toEqual(['The text that its operator signed names another domain.']);
  expect(problems({ expires_at: NOW })).toEqual(['The signature of its operator had expired.']);
});
