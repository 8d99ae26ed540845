import type { NetworkReader } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Random } from './random.js';

/** Share of confirmed writes that are repeated at the other gateway. */
const REPEATED_SHARE = 0.3;
/** Longer than any outage of a run and any wait of a gateway for its stores. */
const ANSWER_MS = 60_000;
const MADE = ['role', 'hire', 'muse_id'];
const plainFetch = globalThis.fetch;

/** A confirmed write and how to read it back. */
export interface Answered {
  readonly what: string;
  readonly position: Position;
  readonly isSeenBy: (reader: NetworkReader) => Promise<boolean>;
}

export class Notebook {
  readonly answered: Answered[] = [];
  readonly positions = new Set<Position>();
  readonly refusals = new Map<string, number>();
  /** Responses that no outage explains. */
  readonly wrong: string[] = [];
  repeated = 0;
  private next = 0;

  constructor(
    private readonly urls: () => readonly string[],
    private readonly random: Random,
  ) {}

  /** Alternates the gateways, so that a request lost by one is retried at the other. */
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

  /** Accepts only outages with a retry time and requests in progress. */
  private async judge(path: string, response: Response): Promise<void> {
    const text = await response.text();
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? text;
    const isOutage = response.status === 503 || (response.status === 409 && code === 'in_progress');
    const isTimed = response.headers.has('retry-after');
    this.count(`${response.status} ${code}`);
    if (!isOutage) this.wrong.push(`${path} answered ${response.status}: ${text}`);
    else if (!isTimed) this.wrong.push(`${path} answered ${response.status} ${code} without retry-after`);
  }

  /** Asserts that a repeated write returns the record of the first. */
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
