import { setTimeout as pause } from 'node:timers/promises';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { formatProjectionVersion } from './build-name.js';
import { findUnfilledBuilds } from './filling/unfilled-builds.js';
import type { ProjectionCheckpoint, Collection, DocumentStore } from './document-store.port.js';
import { Backlog, positionsIn, type ProjectionHealth } from './health.js';
import { VersionedCache } from './versioned-cache.js';

const HEAD_TIMEOUT_MS = 2 * SECOND_MS;
const REACH_MS = 10 * SECOND_MS;
const POLL_MS = 15;
/** Wait of a caller for its own write. */
export const OWN_WRITE_WAIT_MS = 300;
const UNFILLED_LOOK_MS = 250;
const MEMOIZED_MAX = 2_000;
const INCREMENTAL_MAX = 10_000;

export class ReadModels {
  private readonly opened = new Map<
    string,
    { readonly collection: Collection; readonly cache: VersionedCache<JsonObject>; readonly backlog: Backlog }
  >();
  private readonly stopped = new Map<string, string>();
  private readonly memoized = createLruCache<string, { readonly version: unknown; readonly value: unknown }>(
    MEMOIZED_MAX,
  );
  private readonly incremental = createLruCache<string, object>(INCREMENTAL_MAX);
  private readonly waiting = new Set<(hasMoved: boolean) => void>();
  /** Every running projection contains the log up to here. */
  private seenPosition: Position = LOG_START;
  private hasProjector = false;
  private answered: Position = LOG_START;
  private reading: Promise<ProjectionCheckpoint[]> | null = null;
  /** Checkpoints of `projections` by the store's list: SQLite returns the same list until a checkpoint moves. */
  private readonly required = new WeakMap<readonly ProjectionCheckpoint[], ProjectionCheckpoint[]>();
  private switches = 0;
  private followed = 0;
  private hurry: () => void = () => undefined;
  private hurrying: NodeJS.Immediate | null = null;

  constructor(
    private readonly store: DocumentStore,
    private readonly log: Pick<EventLog, 'head' | 'holds' | 'readAll' | 'readNews'>,
    private readonly projections: readonly Projection[],
  ) {}

  async open(): Promise<void> {
    for (const projection of this.projections) {
      const collection = await this.store.open(projection);
      const parts = { collection, cache: new VersionedCache(collection), backlog: new Backlog(this.log) };
      this.opened.set(projection.name, parts);
    }
  }

  of<D extends JsonObject>(projection: Projection<D>): Collection<D> {
    return this.requireOpened(projection).collection as unknown as Collection<D>;
  }

  /** Use for lists that are read often: only changed documents are read again. */
  cached<D extends JsonObject>(projection: Projection<D>): VersionedCache<D> {
    return this.requireOpened(projection).cache as unknown as VersionedCache<D>;
  }

  private requireOpened({ name }: { readonly name: string }) {
    const opened = this.opened.get(name);
    if (!opened) throw new Error(`The projection ${name} is not among the read models.`);
    return opened;
  }

  /** Position up to which every projection, or every named one, contains the log. */
  async position(...named: readonly Projection[]): Promise<Position> {
    const isNamed = (name: string) => named.length === 0 || named.some(projection => projection.name === name);
    const checkpoints = (await this.readCheckpoints()).filter(({ name }) => isNamed(name));
    return checkpoints.map(({ position }) => position).sort()[0]!;
  }

  /** Equal results mean that no document changed in between. Undefined if unknown. */
  version(): unknown {
    return this.store.version?.();
  }

  /** Caches the result of `work`, which must depend on documents only, until any document changes. */
  async memoize<T>(name: string, work: () => Promise<T>): Promise<T> {
    const version = this.version();
    const cached = this.memoized.get(name);
    if (cached && version !== undefined && cached.version === version) return cached.value as T;
    const value = await work();
    this.memoized.set(name, { version, value });
    return value;
  }

  /** Passes `work` its previous result, which may be evicted at any time. */
  async memoizeIncremental<T extends object>(name: string, work: (before: T | undefined) => Promise<T>): Promise<T> {
    const value = await work(this.incremental.get(name) as T | undefined);
    this.incremental.set(name, value);
    return value;
  }

  async states(head: Position | null): Promise<ProjectionHealth[]> {
    const isInLog = positionsIn(this.log);
    const states = (await this.readCheckpoints()).map(async ({ name, version, position, stopped }) => ({
      name,
      version,
      position,
      ...(await this.requireOpened({ name }).backlog.measure(position, head, isInLog)),
      ...(stopped === null ? { state: 'running' as const } : { state: 'stopped' as const, reason: stopped }),
    }));
    return Promise.all(states);
  }

  stop(name: string, reason: string): void {
    this.stopped.set(name, reason);
    for (const wake of this.waiting) wake(false);
  }

  /** Waits until no build is unfilled: such builds must not be read. Calls `onWait` once with their names, if any. */
  async waitUntilFilled(onWait: (names: readonly string[]) => void = () => undefined): Promise<void> {
    for (let looks = 0; ; looks += 1) {
      const { unfilled } = await findUnfilledBuilds(await this.readCheckpoints(), this.log);
      if (unfilled.length === 0) return;
      if (looks === 0) onWait(unfilled.map(({ name }) => name));
      await pause(UNFILLED_LOOK_MS);
    }
  }

  /** Whether the projector of this process has reported a position. */
  hasSeen(position: Position): boolean {
    return this.hasProjector && position <= this.seenPosition;
  }

  /** Records a write that was answered without a wait for the documents. */
  recordAnswered(position: Position): void {
    if (position > this.answered) this.answered = position;
  }

  /** For commands that look at documents: they see each write that was answered before them. */
  async waitForAnswered(): Promise<this> {
    if (!this.hasSeen(this.answered)) await this.waitForPosition(this.answered, OWN_WRITE_WAIT_MS);
    return this;
  }

  /** Returns false after the time-out. Stopped projections do not count. */
  async waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    const until = Date.now() + timeoutMs;
    let hasMoved = this.hasProjector;
    while (!(hasMoved ? position <= this.seenPosition : await this.isContained(position))) {
      const leftMs = until - Date.now();
      if (leftMs <= 0) return false;
      this.askToHurry();
      hasMoved = await this.nextMove(Math.min(POLL_MS, leftMs));
    }
    return true;
  }

  /** Finds a stopped projection that lacks a part of the log. */
  async findStoppedBefore(position: Position): Promise<string | undefined> {
    // A projection that stopped after `position` was seen contains it.
    if (this.stopped.size === 0 && (this.hasProjector || position <= this.seenPosition)) return undefined;
    return (await this.readCheckpoints()).find(each => each.stopped !== null && each.position < position)?.name;
  }

  private async isContained(position: Position): Promise<boolean> {
    // A stopped projection may have resumed at a lower position.
    if (position <= this.seenPosition && this.stopped.size === 0) return true;
    this.reading ??= this.readCheckpoints().finally(() => (this.reading = null));
    const checkpoints = await this.reading;
    return checkpoints.every(each => each.stopped !== null || each.position >= position);
  }

  private async readCheckpoints(): Promise<ProjectionCheckpoint[]> {
    const checkpoints = await this.store.checkpoints();
    const cached = this.required.get(checkpoints);
    if (cached) return cached;
    const byId = new Map(checkpoints.map(each => [formatProjectionVersion(each), each]));
    const required = this.projections.map(each => byId.get(formatProjectionVersion(each))!);
    this.required.set(checkpoints, required);
    this.stopped.clear();
    for (const { name, stopped } of required) if (stopped !== null) this.stopped.set(name, stopped);
    const running = required.filter(({ stopped }) => stopped === null);
    const [lowest] = running.map(({ position }) => position).sort();
    if (lowest !== undefined && (lowest > this.seenPosition || !this.hasProjector)) this.seenPosition = lowest;
    return required;
  }

  async waitForHead(timeoutMs = HEAD_TIMEOUT_MS): Promise<boolean> {
    return this.waitForPosition(await this.log.head(), timeoutMs);
  }

  /** Throws `Unavailable` if any running projection lags after the time-out, or a named one stopped before. */
  async waitUntilReached(position: Position, named: readonly Projection[], timeoutMs = REACH_MS): Promise<void> {
    const isReached = await this.waitForPosition(position, timeoutMs);
    if (!isReached || (await this.position(...named)) < position) throw new Unavailable('The read models');
  }

  /** Call it before a missing document is taken to not exist. Throws like `waitUntilReached`. */
  async waitUntilCurrent(projection: Projection): Promise<void> {
    await this.waitUntilReached(await this.log.head(), [projection], HEAD_TIMEOUT_MS);
  }

  /** Called when a request begins to wait, so that the projector need not gather events. */
  onWait(hurry: () => void): void {
    this.hurry = hurry;
  }

  /**
   * Reports the position of all running projections, by the projector of this process. After a possible switch of
   * builds nothing is recorded until readers follow it.
   */
  moved(position: Position, mayHaveSwitched = false): void {
    if (mayHaveSwitched) this.switches += 1;
    if (this.followed === this.switches) return this.recordPosition(position);
    const { switches } = this;
    const follow = () => {
      this.followed = Math.max(this.followed, switches);
      this.recordPosition(position);
    };
    this.store.checkpoints().then(follow, () => undefined);
  }

  private recordPosition(position: Position): void {
    this.hasProjector = true;
    if (position > this.seenPosition) this.seenPosition = position;
    for (const wake of this.waiting) wake(true);
  }

  private askToHurry(): void {
    this.hurrying ??= setImmediate(() => {
      this.hurrying = null;
      this.hurry();
    });
  }

  nextMove(timeoutMs: number): Promise<boolean> {
    return new Promise(resolve => {
      const done = (hasMoved: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve(hasMoved);
      };
      const timer = setTimeout(done, timeoutMs, false);
      this.waiting.add(done);
    });
  }
}
