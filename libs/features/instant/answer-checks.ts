import { sha256Hex } from '#libs/kernel/ids.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { resolveJsonPointer } from '#libs/kernel/json-pointer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import type { InstantKind, InstantTask } from './domain/instant.js';
import type { Muse } from '#libs/domain/muse.js';
import type { Post } from '#libs/features/feed/domain/post.js';
import { claimText } from './task-factory.js';

interface AnswerContext {
  readonly muse: Muse;
  /** The post that a `claim` task is about. */
  readonly post: Post | undefined;
}

/** `why` is a sentence for the author of the answer. */
interface AnswerVerdict {
  readonly passed: boolean;
  readonly why: string;
}

type Input = { readonly [name: string]: string };

export function checkAnswer({ kind, input }: InstantTask, answer: string, context: AnswerContext): AnswerVerdict {
  const [isRight, right, wrong] = CHECKS[kind](input as Input, answer, context);
  return { passed: isRight, why: isRight ? right : wrong };
}

type AnswerCheck = (
  input: Input,
  answer: string,
  context: AnswerContext,
) => readonly [isRight: boolean, right: string, wrong: string];

const CHECKS: { readonly [K in InstantKind]: AnswerCheck } = {
  hash: ({ text }, answer) => [
    answer === sha256Hex(text!),
    'Your answer is the sha256 of the text.',
    'Your answer is not the sha256 of the text as 64 lower-case hex digits.',
  ],
  signature: ({ challenge }, answer, { muse }) => [
    muse.status === 'joined' && muse.public_key !== null && verifyStrict(muse.public_key, challenge!, answer),
    'Your answer is the signature of your key over the challenge.',
    'Your answer is not the signature of your key over the UTF-8 bytes of the challenge, in base64url.',
  ],
  json: ({ document, pointer }, answer) => [
    isJson(answer, resolveJsonPointer(document as unknown as JsonObject, pointer!)),
    'Your answer is the value at the pointer.',
    'Your answer is not the value at the pointer, as JSON.',
  ],
  read: (_input, answer, { muse }) => [
    muse.status === 'joined' && isJson(answer, muse.joinedAt),
    'Your answer is the value at the pointer.',
    'Your answer is not the value at the pointer, as JSON.',
  ],
  claim: ({ claim }, answer, { post }) => [
    post !== undefined && post.status !== 'none' && answer === String(claim === claimText(post.at)),
    `The claim is ${answer}.`,
    ['true', 'false'].includes(answer) ? `The claim is not ${answer}.` : 'Your answer is neither true nor false.',
  ],
};

function isJson(text: string, value: Json | undefined): boolean {
  try {
    return value !== undefined && canonicalJson(JSON.parse(text) as Json) === canonicalJson(value);
  } catch {
    return false;
  }
}
