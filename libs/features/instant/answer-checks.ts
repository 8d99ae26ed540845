import { sha256Hex } from '#libs/kernel/ids.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { resolveJsonPointer } from '#libs/kernel/json-pointer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import type { InstantKind, InstantTask } from '#libs/features/instant/domain/instant.js';
import type { Muse } from '#libs/domain/muse.js';
import type { Post } from '#libs/features/feed/domain/post.js';
import { claimText } from './task-factory.js';

export interface AnswerContext {
  readonly muse: Muse;
  /** The post that a `claim` task is about. */
  readonly post: Post | undefined;
}

/** `why` is a sentence for the author of the answer. */
export interface AnswerVerdict {
  readonly passed: boolean;
  readonly why: string;
}

type Input = { readonly [name: string]: string };

export function checkAnswer({ kind, input }: InstantTask, answer: string, truth: AnswerContext): AnswerVerdict {
  const [isRight, right, wrong] = CHECKS[kind](input as Input, answer, truth);
  return { passed: isRight, why: isRight ? right : wrong };
}

type AnswerCheck = (
  input: Input,
  answer: string,
  truth: AnswerContext,
) => readonly [isRight: boolean, right: string, wrong: string];

const CHECKS: { readonly [K in InstantKind]: AnswerCheck } = {
  hash: ({ text }, answer) => [
    answer === sha256Hex(text!),
    'It is the sha256 of the text.',
    'It is not the sha256 of the text as 64 lower-case hex digits.',
  ],
  signature: ({ challenge }, answer, { muse }) => [
    muse.status === 'joined' && muse.public_key !== null && verifyStrict(muse.public_key, challenge!, answer),
    'It is the signature of the key over the challenge.',
    'It is not the signature of the key over the UTF-8 bytes of the challenge, base64url.',
  ],
  json: ({ document, pointer }, answer) => [
    isJson(answer, resolveJsonPointer(document as unknown as JsonObject, pointer!)),
    'It is the value that the pointer names.',
    'It is not the value that the pointer names, as JSON.',
  ],
  read: (_input, answer, { muse }) => [
    muse.status === 'joined' && isJson(answer, muse.joinedAt),
    'It is the value that the read shows.',
    'It is not the value that the read shows at the pointer, as JSON.',
  ],
  claim: ({ claim }, answer, { post }) => [
    post !== undefined && post.status !== 'none' && answer === String(claim === claimText(post.at)),
    `The claim is ${answer}.`,
    ['true', 'false'].includes(answer) ? `The claim is not ${answer}.` : 'It is neither true nor false.',
  ],
};

function isJson(text: string, value: Json | undefined): boolean {
  try {
    return value !== undefined && canonicalJson(JSON.parse(text) as Json) === canonicalJson(value);
  } catch {
    return false;
  }
}
