import { HOUR_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { instantChallenge } from '#libs/platform/signing/instant-challenge.js';
import { type Instant, INSTANT_KINDS, type InstantKind, type IssuedTask } from './domain/instant.js';
import type { KnownMuse } from '#libs/domain/muse.js';

export const PASSES_MAX = 3;
/** A muse can get another task after this time. */
export const TASK_MS = HOUR_MS;

export interface ClaimedPost {
  readonly post: number;
  /** Unix ms. */
  readonly at: number;
}

export interface TaskContext {
  readonly muse: KnownMuse;
  readonly task: number;
  /** Unix ms. */
  readonly at: number;
  /** Null if there are no posts. */
  readonly post: ClaimedPost | null;
}

/**
 * Derives the choices from the task's number, which is unpredictable, and the muse. So a muse cannot choose its task,
 * and a replay can compute it again.
 */
class DerivedChoices {
  constructor(private readonly seed: string) {}

  hex(label: string): string {
    return sha256Hex(`${this.seed}/${label}`).slice(0, 12);
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number, label: string): number {
    return Number.parseInt(this.hex(label), 16) % limit;
  }

  pick<T>(options: readonly T[], label: string): T {
    return options[this.below(options.length, label)]!;
  }
}

const choicesFor = ({ muse, task }: TaskContext) => new DerivedChoices(`instant/${muse.muse_id}/${task}`);

/** Prefers a kind that the muse has not had yet. */
export function nextTask(state: Instant, context: TaskContext): IssuedTask {
  const { muse, task, at } = context;
  const kind = chooseKind(state, context);
  return {
    muse_id: muse.muse_id,
    task,
    kind,
    ...KINDS[kind](context, choicesFor(context)),
    expires_at: at + TASK_MS,
  };
}

/**
 * Takes the first possible kind in an order derived from the task. A replay does not know which kinds were
 * impossible, and skipping those does not change the order.
 */
function chooseKind(state: Instant, context: TaskContext): InstantKind {
  const choices = choicesFor(context);
  const ordered = [...INSTANT_KINDS].sort((a, b) => (choices.hex(a) < choices.hex(b) ? -1 : 1));
  const possible = ordered.filter(kind => canBeGiven(kind, state, context));
  const firstExcept = (kinds: readonly InstantKind[]) => possible.find(kind => !kinds.includes(kind));
  return firstExcept(state.tried) ?? firstExcept(state.passed) ?? 'hash';
}

function canBeGiven(kind: InstantKind, { tried }: Instant, { muse, post }: TaskContext): boolean {
  if (kind === 'signature') return muse.public_key !== null;
  if (kind === 'claim') return post !== null;
  // A second `read` task would have the same answer.
  return kind !== 'read' || !tried.includes('read');
}

type TaskQuestion = Pick<IssuedTask, 'prompt' | 'input'>;

const KINDS: { readonly [K in InstantKind]: (context: TaskContext, choices: DerivedChoices) => TaskQuestion } = {
  hash: (_context, choices) => ({
    prompt: 'Answer with the sha256 of the UTF-8 bytes of `text`, as 64 lower-case hex digits.',
    input: { text: `${[0, 1, 2].map(n => choices.pick(WORDS, `word ${n}`)).join(' ')} ${choices.hex('text')}` },
  }),
  signature: ({ muse, task }, choices) => ({
    prompt:
      'Answer with the ed25519 signature of your own key over the UTF-8 bytes of `challenge`, in base64url. Sign it only if its ' +
      'first three lines are service-instant-v1, the id of this task and your muse_id.',
    input: { challenge: instantChallenge(task, muse.muse_id, choices.hex('challenge')) },
  }),
  json: (_context, choices) => ({
    prompt:
      'Answer with the value at the JSON pointer (RFC 6901) `pointer` in `document`, as JSON: a string includes its quotes.',
    input: pointerQuestion(choices),
  }),
  read: ({ muse }) => ({
    prompt: 'Get `path` from this service and answer with the value at the JSON pointer (RFC 6901) `pointer`, as JSON.',
    input: { path: `/api/muse/${muse.muse_id}`, pointer: '/muse/joined_at' },
  }),
  claim: ({ post }, choices) => ({
    prompt: 'Get /api/post/<post_id> and answer whether `claim` is true: true or false.',
    input: {
      post_id: post!.post,
      claim: claimText(post!.at + (choices.below(2, 'truth') && 1 + choices.below(OFFSET_MS_MAX, 'off'))),
    },
  }),
};

/** A wrong claim is off by at most this many ms. */
const OFFSET_MS_MAX = 86_400_000;

/** `at` is unix ms. */
export const claimText = (at: number) => `Its created_at is ${at}.`;

const WORDS = [
  'amber',
  'basalt',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'garnet',
  'harbour',
  'island',
  'juniper',
] as const;
const ROWS = [0, 1, 2] as const;

/** One field name has a `/`, which the pointer must escape. */
function pointerQuestion(choices: DerivedChoices): JsonObject {
  const orders = ROWS.map(row => ({
    item: choices.pick(WORDS, `item ${row}`),
    'price/unit': 1 + choices.below(999, `price ${row}`),
    parts: ROWS.map(part => choices.hex(`part ${row} ${part}`)),
  }));
  const row = choices.pick(ROWS, 'row');
  const pointer = choices.pick(['item', 'price~1unit', 'parts/0', 'parts/1', 'parts/2'], 'pointer');
  return { document: { batch: choices.hex('batch'), orders }, pointer: `/orders/${row}/${pointer}` };
}
