import { HOUR_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { instantChallenge } from '#libs/platform/signing/instant-challenge.js';
import {
  type Instant,
  INSTANT_KINDS,
  type InstantKind,
  type IssuedTask,
} from '#libs/features/instant/domain/instant.js';
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

  hex(what: string): string {
    return sha256Hex(`${this.seed}/${what}`).slice(0, 12);
  }

  /** From 0, exclusive `limit`. */
  below(limit: number, what: string): number {
    return Number.parseInt(this.hex(what), 16) % limit;
  }

  pick<T>(all: readonly T[], what: string): T {
    return all[this.below(all.length, what)]!;
  }
}

const choicesFor = ({ muse, task }: TaskContext) => new DerivedChoices(`instant/${muse.muse_id}/${task}`);

/** Prefers a kind that the muse has not had yet. */
export function nextTask(state: Instant, occasion: TaskContext): IssuedTask {
  const { muse, task, at } = occasion;
  const kind = chooseKind(state, occasion);
  return {
    muse_id: muse.muse_id,
    task,
    kind,
    ...KINDS[kind](occasion, choicesFor(occasion)),
    expires_at: at + TASK_MS,
  };
}

/**
 * Takes the first possible kind in an order derived from the task. A replay does not know which kinds were
 * impossible, and skipping those does not change the order.
 */
function chooseKind(state: Instant, occasion: TaskContext): InstantKind {
  const dice = choicesFor(occasion);
  const ordered = [...INSTANT_KINDS].sort((a, b) => (dice.hex(a) < dice.hex(b) ? -1 : 1));
  const possible = ordered.filter(kind => canBeGiven(kind, state, occasion));
  const unless = (had: readonly InstantKind[]) => possible.find(kind => !had.includes(kind));
  return unless(state.tried) ?? unless(state.passed) ?? 'hash';
}

function canBeGiven(kind: InstantKind, { tried }: Instant, { muse, post }: TaskContext): boolean {
  if (kind === 'signature') return muse.public_key !== null;
  if (kind === 'claim') return post !== null;
  // A second `read` task would have the same answer.
  return kind !== 'read' || !tried.includes('read');
}

type TaskQuestion = Pick<IssuedTask, 'prompt' | 'input'>;

const KINDS: { readonly [K in InstantKind]: (occasion: TaskContext, dice: DerivedChoices) => TaskQuestion } = {
  hash: (_occasion, dice) => ({
    prompt: 'Answer the sha256 of the UTF-8 bytes of `text`, as 64 lower-case hex digits.',
    input: { text: `${[0, 1, 2].map(n => dice.pick(WORDS, `word ${n}`)).join(' ')} ${dice.hex('text')}` },
  }),
  signature: ({ muse, task }, dice) => ({
    prompt:
      'Answer the ed25519 signature of your own key over the UTF-8 bytes of `challenge`, base64url. Sign it only if its ' +
      'first three lines are service-instant-v1, the id of this task and your muse_id.',
    input: { challenge: instantChallenge(task, muse.muse_id, dice.hex('challenge')) },
  }),
  json: (_occasion, dice) => ({
    prompt:
      'Answer the value that the JSON pointer (RFC 6901) in `pointer` names in `document`, as JSON: a text with its quotes.',
    input: pointerQuestion(dice),
  }),
  read: ({ muse }) => ({
    prompt:
      'Get `path` from this service and answer the value that the JSON pointer (RFC 6901) in `pointer` names, as JSON.',
    input: { path: `/api/muse/${muse.muse_id}`, pointer: '/muse/joined_at' },
  }),
  claim: ({ post }, dice) => ({
    prompt: 'Look at GET /api/post/<post_id> and answer whether `claim` is so: true or false.',
    input: {
      post_id: post!.post,
      claim: claimText(post!.at + (dice.below(2, 'truth') && 1 + dice.below(DAY_OFF, 'off'))),
    },
  }),
};

/** A wrong claim is off by at most this many ms. */
const DAY_OFF = 86_400_000;

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
function pointerQuestion(dice: DerivedChoices): JsonObject {
  const orders = ROWS.map(row => ({
    item: dice.pick(WORDS, `item ${row}`),
    'price/unit': 1 + dice.below(999, `price ${row}`),
    parts: ROWS.map(part => dice.hex(`part ${row} ${part}`)),
  }));
  const row = dice.pick(ROWS, 'row');
  const pointer = dice.pick(['item', 'price~1unit', 'parts/0', 'parts/1', 'parts/2'], 'pointer');
  return { document: { batch: dice.hex('batch'), orders }, pointer: `/orders/${row}/${pointer}` };
}
