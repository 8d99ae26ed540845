import type { ClientSession, Collection } from 'mongodb';
import { START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, type MongoConnection } from '#libs/mongodb/connection.js';
import type { Transactions } from '#libs/mongodb/transactions.js';
import { again } from '#libs/mongodb/upsert.js';
import {
  buildOf,
  buildPrefix,
  checkpointName,
  checkpointNames,
  type Named,
  nextBuildName,
  wholeId,
} from './build-name.js';
import { prepareBuild } from './mongodb.indexing.js';
import { indexName } from './mongodb.index-key.js';
import type { MongoLeases } from './mongodb.leases.js';
import { MongoPlaces } from './mongodb.places.js';
import { leastOf } from './parts.js';
import type { Settled } from './places.js';
import { type Batch, CommitConflict } from './port.js';

/** A document as it is stored. `keys` holds what `keysOf` makes for each index. */
export interface StoredDocument {
  readonly _id: string;
  readonly position: Position;
  readonly body: JsonObject;
  readonly keys: { readonly [index: string]: string | readonly string[] };
}

/** The build that readers use, and what its writers index: every process sees it, also an index that it lacks. */
export interface Live {
  /** `<projection>@<version>`, and `/<parts>` where it is kept in several. */
  readonly _id: string;
  readonly build: string;
  readonly indexes: string[];
}

/** How far a build is, or a part of it, and why it stopped there; or how far a place is that builds share. */
export interface Reached {
  /** The build, `<build>#<part>`, or the place. */
  readonly _id: string;
  /** Of a build at a place, where it was when it came there: the place says where it is. */
  readonly position: Position;
  readonly place?: string;
  /** Of a place: the builds that name it. */
  readonly builds?: readonly string[];
  /** Of a place: another number behind each change of who stands there, who may move them, and into what. */
  readonly changes?: number;
  readonly stopped?: string;
  /** Whether it is being filled, before anybody reads it. */
  readonly filling?: boolean;
  /** When it was retired, in unix ms: another build took its place, or no process kept it any more. */
  readonly retiredAt?: number;
  /** The build that was made the live one in its place. */
  readonly replacedBy?: string;
}

/** The checkpoints of every build of a projection. */
export function ofProjection(projection: Named) {
  const prefix = buildPrefix(projection);
  return { _id: { $gte: prefix, $lt: prefix + LAST_CHARACTER } };
}

/** Which builds there are, which of them are live, and how far each is: the collections `meta.*`. */
export class MongoBuilds {
  readonly live: Collection<Live>;
  readonly checkpoints: Collection<Reached>;
  readonly places: MongoPlaces;

  constructor(
    private readonly connection: MongoConnection,
    private readonly transactions: Transactions,
  ) {
    this.live = connection.db.collection('meta.live', { writeConcern: { w: 'majority' } });
    this.checkpoints = connection.db.collection('meta.checkpoints', { writeConcern: { w: 'majority' } });
    this.places = new MongoPlaces(this.checkpoints);
  }

  /** The name of the live build, made with its indexes where they are missing. */
  async open(projection: Pick<Projection, 'indexes'> & Named, leases: MongoLeases): Promise<string> {
    const fields = Object.values(projection.indexes);
    const indexes = [...new Set(fields.map(indexName))];
    const known = await this.live.findOne({ _id: wholeId(projection) });
    const live = known ?? (await this.point(projection, indexes));
    if (indexes.some(index => !live.indexes.includes(index))) await this.declare(projection, indexes, leases);
    await this.begin(checkpointNames(live.build, projection));
    await prepareBuild(this.connection.db, live.build, fields);
    return live.build;
  }

  /** To a build whose name no other one has, as those have of a version that was retired and is used again. */
  private async point(projection: Named, indexes: string[]): Promise<Live> {
    const others = await this.checkpoints.find(ofProjection(projection)).toArray();
    const names = others.map(({ _id }) => buildOf(_id));
    const first = { $setOnInsert: { build: nextBuildName(projection, names), indexes } };
    const options = { upsert: true, returnDocument: 'after' } as const;
    return again(() => this.live.findOneAndUpdate({ _id: wholeId(projection) }, first, options));
  }

  /** The live builds of projections, in their order. */
  async of(projections: readonly Named[], session?: ClientSession): Promise<Live[]> {
    const ids = projections.map(wholeId);
    const found = await this.live.find({ _id: { $in: [...new Set(ids)] } }, { session }).toArray();
    const byId = new Map(found.map(live => [live._id, live]));
    return ids.map(id => {
      const live = byId.get(id);
      if (!live) throw new Error(`${id} was never opened.`);
      return live;
    });
  }

  /** Up to where all of several are. */
  async reached(checkpoints: readonly string[]): Promise<Position> {
    const found = await this.places.look(checkpoints);
    return leastOf(found.map(each => each?.position ?? START))!;
  }

  async halt(projection: Named, stopped: string, session: ClientSession): Promise<void> {
    const [live] = await this.of([projection], session);
    await this.checkpoints.updateOne(
      { _id: checkpointName(live!.build, projection) },
      { $set: { stopped } },
      { session },
    );
    await this.places.unsettle(session);
  }

  /** Checkpoints are where the log begins, where there are none. `said`: what is said of those. */
  async begin(checkpoints: readonly string[], said: Pick<Reached, 'filling'> = {}): Promise<void> {
    const update = { $setOnInsert: { position: START, ...said } };
    const begun = checkpoints.map(_id => ({ updateOne: { filter: { _id }, update, upsert: true } }));
    await again(() => this.checkpoints.bulkWrite(begun));
  }

  /** Says of a checkpoint that its build is being filled, unless somebody has begun to. */
  async fill(checkpoint: string): Promise<void> {
    const empty = { _id: checkpoint, position: START, place: { $exists: false } };
    await this.checkpoints.updateOne(empty, { $set: { filling: true } });
  }

  /** Compares and sets the checkpoints; answers as `MongoPlaces.move`. Throws `CommitConflict`. */
  async reach(builds: readonly Live[], batches: readonly Batch[], session: ClientSession): Promise<Settled | null> {
    const names = builds.map(({ build }, index) => checkpointName(build, batches[index]!.projection));
    const found = await this.places.look(names, session);
    if (batches.some(({ from }, index) => found[index]?.position !== from))
      throw new CommitConflict('A checkpoint is not where the writer believes.');
    const steps = batches.map(({ to }, index) => ({ standing: found[index]!, to }));
    return this.places.move(steps, session);
  }

  /** Whoever commits at this moment has to look again, so that no document is written without the new index's key. */
  private async declare(projection: Named, indexes: string[], leases: MongoLeases): Promise<void> {
    await leases.interrupt();
    await this.transactions.run(async session => {
      await leases.disturb(session);
      await this.places.unsettle(session);
      await this.live.updateOne(
        { _id: wholeId(projection) },
        { $addToSet: { indexes: { $each: indexes } } },
        { session },
      );
    });
  }
}
