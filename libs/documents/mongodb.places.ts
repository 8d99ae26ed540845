import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { Reached } from './mongodb.builds.js';
import { BEHIND_PLACES, type Move, movesOf, PLACE_MARK, type Settled, type Standing } from './places.js';

/** How often builds are looked for that go from one place to another meanwhile. */
const LOOKS_MAX = 10;

type Write = AnyBulkWriteOperation<Reached>;

/** A build as it was found. */
export interface Found extends Standing {
  /** The builds of its place, where it shares one, and what that has counted. */
  readonly beside: readonly string[];
  readonly changes: number;
  readonly isFilling: boolean;
  /** Whether another build was made the live one in its place. */
  readonly isReplaced: boolean;
}

/** Where builds stand, and moves them: those that stand together by one document of `meta.checkpoints`. */
export class MongoPlaces {
  /** The places that were found, to be asked for together with the builds. */
  private known: readonly string[] = [];
  /** The builds that were found at them, each as it is for as long as its place has counted no more. */
  private readonly rows = new Map<string, { readonly row: Reached; readonly changes: number }>();

  constructor(private readonly checkpoints: Collection<Reached>) {}

  /**
   * How far builds are, in their order; undefined for one that was dropped. Places sort before builds and are read
   * before them: a build is never answered further than it is, whatever moves meanwhile. Outside a transaction a build
   * whose place has counted nothing is not read again.
   */
  async look(builds: readonly string[], session?: ClientSession): Promise<(Found | undefined)[]> {
    const asked = new Set(session ? builds : builds.filter(build => !this.rows.has(build)));
    for (let looks = 1; looks <= LOOKS_MAX; looks += 1) {
      const found = await this.find([...this.known, ...asked], session);
      const other = builds.filter(build => !asked.has(build) && !this.isAsItWas(build, found));
      const rows = builds.map(build => (asked.has(build) ? found.get(build) : this.rows.get(build)?.row));
      const places = rows.flatMap(row => row?.place ?? []);
      this.known = [...new Set([...this.known.filter(place => found.has(place)), ...places])];
      if (other.length === 0 && places.every(place => found.has(place))) {
        if (!session) for (const build of asked) this.remember(build, found);
        return rows.map(row => row && standing(row, found));
      }
      for (const build of other) asked.add(build);
    }
    throw new Error(`Builds do not stay where they are found: ${builds.join()}.`);
  }

  private async find(names: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, Reached>> {
    const found = await this.checkpoints
      // Who else stands at a place is asked for by who moves it.
      .find({ _id: { $in: names } }, session ? { session } : { projection: { builds: 0 } })
      .sort({ _id: 1 })
      .batchSize(names.length + 1)
      .toArray();
    return new Map(found.map(each => [each._id, each]));
  }

  private isAsItWas(build: string, found: ReadonlyMap<string, Reached>): boolean {
    const known = this.rows.get(build);
    return known?.row.place !== undefined && found.get(known.row.place)?.changes === known.changes;
  }

  private remember(build: string, found: ReadonlyMap<string, Reached>): void {
    const row = found.get(build);
    const changes = row?.place === undefined ? undefined : found.get(row.place)?.changes;
    if (row && changes !== undefined) this.rows.set(build, { row, changes });
    else this.rows.delete(build);
  }

  /**
   * Inside the transaction that found them: builds go on, and are halted no longer. Answers the place where all of them
   * stand alone from then on, if they do.
   */
  async move(
    steps: readonly { readonly standing: Found; readonly to: Position }[],
    session: ClientSession,
  ): Promise<Settled | null> {
    const besideAt = (place: string) => steps.find(({ standing }) => standing.place === place)!.standing.beside;
    const stay = steps.filter(({ standing, to }) => to === standing.position && standing.stopped !== null);
    const moves = movesOf(steps, besideAt);
    const changes = another();
    const writes: Write[] = [
      ...stay.map(({ standing: { build, position, place } }) => stand([build], position, place)),
      ...(stay.length > 0 ? [counted()] : []),
      ...moves.flatMap(move => writesOf(move, changes)),
    ];
    if (writes.length > 0) await this.checkpoints.bulkWrite(writes, { session });
    return moves[0]?.builds.length === steps.length ? settledAt(moves[0], changes) : null;
  }

  /** Inside a transaction: everybody at a place goes on at once, if nothing was counted there meanwhile. */
  async moveAll({ place, changes }: Settled, from: Position, to: Position, session: ClientSession): Promise<boolean> {
    const filter = { _id: place, changes, position: from };
    return (await this.checkpoints.updateOne(filter, { $set: { position: to } }, { session })).matchedCount === 1;
  }

  /** Counted at every place: who moves it has to look again at who may, and at what. */
  async unsettle(session?: ClientSession): Promise<void> {
    const { filter, update } = counted().updateMany;
    await this.checkpoints.updateMany(filter, update, { session });
  }

  /** Inside a transaction: a build stays where it is, and moves with no others any more. */
  async leave(build: string, session: ClientSession): Promise<void> {
    const [found] = await this.look([build], session);
    if (!found || found.place === null) return;
    await this.checkpoints.bulkWrite([stand([build], found.position, null), ...left([found.place], [build])], {
      session,
    });
  }
}

function standing(row: Reached, found: ReadonlyMap<string, Reached>): Found {
  const place = row.place === undefined ? undefined : found.get(row.place)!;
  return {
    build: row._id,
    position: (place ?? row).position,
    place: row.place ?? null,
    beside: place?.builds ?? [],
    changes: place?.changes ?? 0,
    stopped: row.stopped ?? null,
    isFilling: row.filling ?? false,
    isReplaced: row.replacedBy !== undefined,
  };
}

/** Those that come to their place from elsewhere, or were halted. */
const comingTo = ({ builds, place }: Move) =>
  builds.filter(each => place === null || each.place !== place || each.stopped !== null);

function settledAt(move: Move<Found>, changes: number): Settled | null {
  const { builds, place } = move;
  if (place === null) return null;
  return { place, changes: comingTo(move).length > 0 ? changes : builds[0]!.changes };
}

function writesOf(move: Move, changes: number): Write[] {
  const { builds, to, place } = move;
  const names = builds.map(({ build }) => build);
  const others = comingTo(move);
  const places = others.flatMap(each => (each.place === null || each.place === place ? [] : each.place));
  return [
    ...(place === null ? [] : [moved(place, to, others.length > 0 ? { builds: names, changes } : {})]),
    ...(others.length === 0
      ? []
      : [
          stand(
            others.map(({ build }) => build),
            to,
            place,
          ),
        ]),
    ...(places.length === 0 ? [] : left([...new Set(places)], names)),
  ];
}

/** What a place has counted now: no next number, which it would have twice where a new primary had not seen the first. */
const another = () => Math.random();

/** Something is counted at every place. */
const counted = () => ({
  updateMany: { filter: { _id: { $gte: PLACE_MARK, $lt: BEHIND_PLACES } }, update: { $set: { changes: another() } } },
});

/** A place goes to a position, with the builds that come to it. */
const moved = (place: string, position: Position, other: Pick<Reached, 'builds' | 'changes'>): Write => ({
  updateOne: { filter: { _id: place }, update: { $set: { position, ...other } }, upsert: true },
});

/** Builds come to a place, or to one of their own. */
const stand = (builds: readonly string[], position: Position, place: string | null): Write => ({
  updateMany: {
    filter: { _id: { $in: builds } },
    update: {
      $set: { position, ...(place !== null && { place }) },
      $unset: { stopped: '' as const, ...(place === null && { place: '' as const }) },
    },
  },
});

/** Builds are at these places no longer, and places where nobody is are gone. */
const left = (places: readonly string[], builds: readonly string[]): Write[] => [
  { updateMany: { filter: { _id: { $in: places } }, update: { $pullAll: { builds }, $set: { changes: another() } } } },
  { deleteMany: { filter: { _id: { $in: places }, builds: { $size: 0 } } } },
];
