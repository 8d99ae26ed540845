import type { NetworkReader } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Random } from './random.js';

/** How many of the answered writes are sent once more, as they are, to the other gateway. */
const REPEATED_SHARE = 0.3;
/** Longer than any outage of a run, and than what a gateway waits for its stores. */
const ANSWER_MS = 60_000;
/** What an answer names that was made. */
const MADE = ['role', 'hire', 'muse_id'];
/** As it was before anybody wraps it. */
const plainFetch = globalThis.fetch;

/** A write that was answered, and how a reader sees that it was not lost. */
export interface Answered {
  readonly what: string;
  readonly position: Position;
  readonly isSeenBy: (reader: NetworkReader) => Promise<boolean>;
}

/** What all clients of a run were told. */
export class Notebook {
  readonly answered: Answered[] = [];
  /** Of every answer to a write. */
  readonly positions = new Set<Position>();
  /** How often something else came than what was asked for, by what it was. */
  readonly refusals = new Map<string, number>();
  /** What no outage explains. */
  readonly wrong: string[] = [];
  /** How many writes were answered a second time. */
  repeated = 0;
  private next = 0;

  /** `urls`: where the gateways are now. */
  constructor(
    private readonly urls: () => readonly string[],
    private readonly random: Random,
  ) {}

  /** Sends each request to another gateway than the last one: what one has lost the other is asked about. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(input as string | URL);
    const response = await this.send(pathname + search, init);
    if (!response.ok || init?.method !== 'POST') return response;
    this.positions.add(response.headers.get('event-position')!);
    if (this.random.next() < REPEATED_SHARE) await this.repeat(pathname, init, response.clone());
    return response;
  };

  private async send(path: string, init?: RequestInit): Promise<Response> {
    const urls = this.urls();
    try {
      const response = await plainFetch(`${urls[(this.next += 1) % urls.length]}${path}`, init);
      if (!response.ok) await this.judge(path, response.clone());
      return response;
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      this.count(`no answer: ${cause?.code ?? name}`);
      throw error;
    }
  }

  /** An outage says when to come again. Nothing but an outage, and a request that runs already, is to be expected. */
  private async judge(path: string, response: Response): Promise<void> {
    const text = await response.text();
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text;
    const isOutage = response.status === 503 || (response.status === 409 && code === 'in_progress');
    const isTimed = response.headers.has('retry-after');
    this.count(`${response.status} ${code}`);
    if (!isOutage) this.wrong.push(`${path} answered ${response.status}: ${text}`);
    else if (!isTimed) this.wrong.push(`${path} answered ${response.status} ${code} without retry-after`);
  }

  /** A second answer, where one comes, is about the same thing as the first. */
  private async repeat(path: string, init: RequestInit, first: Response): Promise<void> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const second = await this.send(path, { ...init, signal }).catch(() => null);
    if (signal.aborted && !second) this.wrong.push(`${path} was not answered within ${ANSWER_MS} ms`);
    if (!second?.ok) return;
    this.repeated += 1;
    this.positions.add(second.headers.get('event-position')!);
    const made = [first, second].map(async response => namesIn((await response.json()) as JsonObject));
    const [one, other] = await Promise.all(made);
    if (one !== other) this.wrong.push(`${path} was answered ${one}, and then ${other}`);
  }

  private count(reason: string): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
  }
}

const namesIn = (body: JsonObject) => JSON.stringify(MADE.map(name => body[name] ?? null));
