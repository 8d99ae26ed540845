import { setTimeout as pause } from 'node:timers/promises';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Backlog } from './backlog.js';
import { formatProjectionVersion } from './build-name.js';
import { findUnfilledBuilds } from './filling/unfilled-builds.js';
import type { ProjectionCheckpoint, Collection, DocumentStore } from './document-store.port.js';
import type { ProjectionHealth } from './projection-health.js';
import { VersionedCache } from './versioned-cache.js';

/** How long a look-up waits for the read models to contain the whole log, at most. */
const HEAD_TIMEOUT_MS = 2 * SECOND_MS;
/** How often the checkpoints are looked at while somebody waits for a projector of another process. */
const POLL_MS = 15;

/** How often it is looked whether builds are filled that a starting process needs. */
const UNFILLED_LOOK_MS = 250;

/** How much is remembered that was made of documents, and how much that is made further. */
const MEMOIZED_MAX = 2_000;
const INCREMENTAL_MAX = 10_000;

interface OpenedProjection {
  readonly collection: Collection;
  readonly revisited: VersionedCache<JsonObject>;
  readonly backlog: Backlog;
}

/** The documents that queries read, and how far they are. */
export class ReadModels {
  private readonly opened = new Map<string, OpenedProjection>();
  private readonly stopped = new Map<string, string>();
  private readonly remembered = createLruCache<string, { readonly version: unknown; readonly value: unknown }>(
    MEMOIZED_MAX,
  );
  private readonly further = createLruCache<string, object>(INCREMENTAL_MAX);
  private readonly waiting = new Set<(told: boolean) => void>();
  /** Up to here every projection that runs was seen to contain the log. */
  private seen: Position = LOG_START;
  /** Whether a projector of this process says so. */
  private isTold = false;
  private looking: Promise<ProjectionCheckpoint[]> | null = null;
  /** What was made of the checkpoints last: SQLite’s store gives the same list until one of them has moved. */
  private looked:
    { readonly checkpoints: readonly ProjectionCheckpoint[]; readonly own: ProjectionCheckpoint[] } | undefined;
  /** How often builds were maybe switched, and up to which of these times the readers use the new ones. */
  private switches = 0;
  private followed = 0;
  private hurry: () => void = () => undefined;
  private isAsking = false;

  constructor(
    private readonly store: DocumentStore,
    private readonly log: Pick<EventLog, 'head' | 'holds' | 'readAll' | 'readNews'>,
    private readonly clock: Clock,
    private readonly projections: readonly Projection[],
  ) {}

  async open(): Promise<void> {
    for (const projection of this.projections) {
      const collection = await this.store.open(projection);
      const parts = { collection, revisited: new VersionedCache(collection), backlog: new Backlog(this.log) };
      this.opened.set(projection.name, parts);
    }
  }

  of<D extends JsonObject>(projection: Projection<D>): Collection<D> {
    return this.readOf(projection).collection as unknown as Collection<D>;
  }

  /** For lists that are asked for again and again: only what has changed since is read. */
  cached<D extends JsonObject>(projection: Projection<D>): VersionedCache<D> {
    return this.readOf(projection).revisited as unknown as VersionedCache<D>;
  }

  private readOf({ name }: { readonly name: string }): OpenedProjection {
    const opened = this.opened.get(name);
    if (!opened) throw new Error(`The projection ${name} is not among the read models.`);
    return opened;
  }

  /** Up to where every projection contains the log; those that are named, where some are. */
  async position(...named: readonly Projection[]): Promise<Position> {
    const isAsked = (name: string) => named.length === 0 || named.some(projection => projection.name === name);
    const asked = (await this.look()).filter(({ name }) => isAsked(name));
    return asked.map(({ position }) => position).sort()[0]!;
  }

  /** Equal to an earlier answer only where no document was changed in between; undefined where that is not known. */
  version(): unknown {
    return this.store.version?.();
  }

  /** What `work` makes of the documents alone, made again once one of them was changed. */
  async memoize<T>(name: string, work: () => Promise<T>): Promise<T> {
    const version = this.version();
    const known = this.remembered.get(name);
    if (known && version !== undefined && known.version === version) return known.value as T;
    const value = await work();
    this.remembered.set(name, { version, value });
    return value;
  }

  /** What `work` makes of what it made of an earlier state of the documents, which may be forgotten at any time. */
  async memoizeIncremental<T extends object>(name: string, work: (before: T | undefined) => Promise<T>): Promise<T> {
    const value = await work(this.further.get(name) as T | undefined);
    this.further.set(name, value);
    return value;
  }

  /** How far each projection is, and why it stopped, in whatever process. */
  async states(head: Position): Promise<ProjectionHealth[]> {
    const states = (await this.look()).map(async ({ name, version, position, stopped }) => ({
      name,
      version,
      position,
      ...(await this.readOf({ name }).backlog.measure(position, head)),
      state: stopped === null ? ('running' as const) : ('stopped' as const),
      ...(stopped !== null && { reason: stopped }),
    }));
    return Promise.all(states);
  }

  /** The projector of the same process says that a projection cannot go on, as it has said in the store. */
  stop(name: string, reason: string): void {
    this.stopped.set(name, reason);
    for (const wake of this.waiting) wake(false);
  }

  /**
   * Waits until every build of this process's versions is filled, which a projector does that starts: before that
   * nobody is to read them. `onWait` is told once, where one has to wait, which are not.
   */
  async waitUntilFilled(onWait: (names: readonly string[]) => void = () => undefined): Promise<void> {
    for (let looks = 0; ; looks += 1) {
      const { unfilled } = await findUnfilledBuilds(await this.look(), this.log);
      if (unfilled.length === 0) return;
      if (looks === 0) onWait(unfilled.map(({ name }) => name));
      await pause(UNFILLED_LOOK_MS);
    }
  }

  /** Waits until every projection that runs contains the log up to a position; answers whether they do. */
  async waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    const until = Date.now() + timeoutMs;
    // Where a projector of this process tells of every move, the store need not be asked before it has.
    let told = this.isTold;
    while (!(told ? position <= this.seen : await this.contain(position))) {
      const leftMs = until - Date.now();
      if (leftMs <= 0) return false;
      this.askToHurry();
      told = await this.nextMove(Math.min(POLL_MS, leftMs));
    }
    return true;
  }

  /** A stopped projection that does not contain a position, and will not by being waited for. */
  async findStoppedBefore(position: Position): Promise<string | undefined> {
    // Whoever has stopped since a position was seen contains it; a projector of this process says that it has.
    if (this.stopped.size === 0 && (this.isTold || position <= this.seen)) return undefined;
    return (await this.look()).find(each => each.stopped !== null && each.position < position)?.name;
  }

  private async contain(position: Position): Promise<boolean> {
    // What had stopped may go on, and is not so far.
    if (position <= this.seen && this.stopped.size === 0) return true;
    // Whoever waits at this moment asks together.
    this.looking ??= this.look().finally(() => (this.looking = null));
    const checkpoints = await this.looking;
    return checkpoints.every(each => each.stopped !== null || each.position >= position);
  }

  /** How far every projection is, in one question; what it answers is known from then on. */
  private async look(): Promise<ProjectionCheckpoint[]> {
    const checkpoints = await this.store.checkpoints();
    if (this.looked?.checkpoints === checkpoints) return this.looked.own;
    const byId = new Map(checkpoints.map(each => [formatProjectionVersion(each), each]));
    const own = this.projections.map(each => byId.get(formatProjectionVersion(each))!);
    this.looked = { checkpoints, own };
    this.stopped.clear();
    for (const { name, stopped } of own) if (stopped !== null) this.stopped.set(name, stopped);
    const running = own.filter(({ stopped }) => stopped === null);
    const [reached] = running.map(({ position }) => position).sort();
    if (reached !== undefined && (reached > this.seen || !this.isTold)) this.seen = reached;
    return own;
  }

  async waitForHead(timeoutMs = HEAD_TIMEOUT_MS): Promise<boolean> {
    return this.waitForPosition(await this.log.head(), timeoutMs);
  }

  /** The projector of the same process asks to be told when somebody waits for it. */
  onWait(hurry: () => void): void {
    this.hurry = hurry;
  }

  /**
   * Notes the position that every running projection has reached, by the projector of the same process. `isAnew`: maybe
   * in other builds than before. Nothing is noted until the store has made the readers use those.
   */
  moved(position: Position, isAnew = false): void {
    if (isAnew) this.switches += 1;
    if (this.followed === this.switches) return this.take(position);
    const { switches } = this;
    const follow = async () => {
      await this.store.checkpoints();
      this.followed = Math.max(this.followed, switches);
      this.take(position);
    };
    follow().catch(() => undefined);
  }

  private take(position: Position): void {
    this.isTold = true;
    if (position > this.seen) this.seen = position;
    for (const wake of this.waiting) wake(true);
  }

  /** Once for all that begin to wait in one turn of the event loop: the projector may be a message away. */
  private askToHurry(): void {
    if (this.isAsking) return;
    this.isAsking = true;
    setImmediate(() => {
      this.isAsking = false;
      this.hurry();
    });
  }

  /** Until a projector of this process has moved, or the time is over; answers whether it was told of a move. */
  nextMove(timeoutMs: number): Promise<boolean> {
    return new Promise(resolve => {
      const done = (told: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve(told);
      };
      const timer = setTimeout(done, timeoutMs, false);
      this.waiting.add(done);
    });
  }
}
