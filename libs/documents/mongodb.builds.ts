import type { ClientSession, Collection } from 'mongodb';
import { START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { MongoConnection } from '#libs/mongodb/connection.js';
import type { Transactions } from '#libs/mongodb/transactions.js';
import { again } from '#libs/mongodb/upsert.js';
import { buildName, FIRST_BUILD, liveId } from './build-name.js';
import { prepareBuild } from './mongodb.indexing.js';
import { indexName } from './mongodb.index-key.js';
import type { MongoLeases } from './mongodb.leases.js';
import { MongoPlaces } from './mongodb.places.js';
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
  /** `<projection>@<version>` */
  readonly _id: string;
  readonly build: string;
  readonly indexes: string[];
}

/** How far a build is, and why it stopped there; or how far a place is that builds share. */
export interface Reached {
  /** The build, or the place. */
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
  /** When another build took its place, in unix ms. */
  readonly retiredAt?: number;
  /** The build that was made the live one in its place. */
  readonly replacedBy?: string;
}

type Named = Pick<Projection, 'name' | 'version'>;

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
  async open(projection: Projection, leases: MongoLeases): Promise<string> {
    const fields = Object.values(projection.indexes);
    const indexes = [...new Set(fields.map(indexName))];
    const first = { $setOnInsert: { build: buildName(projection, FIRST_BUILD), indexes } };
    const options = { upsert: true, returnDocument: 'after' } as const;
    const live = await again(() => this.live.findOneAndUpdate({ _id: liveId(projection) }, first, options));
    if (indexes.some(index => !live.indexes.includes(index))) await this.declare(projection, indexes, leases);
    await this.checkpointOf(live.build);
    await prepareBuild(this.connection.db, live.build, fields);
    return live.build;
  }

  /** The live builds of projections, in their order. */
  async of(projections: readonly Named[], session?: ClientSession): Promise<Live[]> {
    const found = await this.live.find({ _id: { $in: projections.map(liveId) } }, { session }).toArray();
    const byId = new Map(found.map(live => [live._id, live]));
    return projections.map(projection => {
      const live = byId.get(liveId(projection));
      if (!live) throw new Error(`${liveId(projection)} was never opened.`);
      return live;
    });
  }

  async checkpoint(build: string): Promise<Position> {
    return (await this.places.look([build]))[0]?.position ?? START;
  }

  async halt({ build }: Live, stopped: string, session: ClientSession): Promise<void> {
    await this.checkpoints.updateOne({ _id: build }, { $set: { stopped } }, { session });
    await this.places.unsettle(session);
  }

  /** Compares and sets the checkpoints; answers as `MongoPlaces.move`. Throws `CommitConflict`. */
  async reach(builds: readonly Live[], batches: readonly Batch[], session: ClientSession): Promise<Settled | null> {
    const names = builds.map(({ build }) => build);
    const found = await this.places.look(names, session);
    if (batches.some(({ from }, index) => found[index]?.position !== from))
      throw new CommitConflict('A checkpoint is not where the writer believes.');
    const steps = batches.map(({ to }, index) => ({ standing: found[index]!, to }));
    return this.places.move(steps, session);
  }

  private checkpointOf(build: string): Promise<unknown> {
    const start = { $setOnInsert: { position: START } };
    return again(() => this.checkpoints.updateOne({ _id: build }, start, { upsert: true }));
  }

  /** Whoever commits at this moment has to look again, so that no document is written without the new index's key. */
  private async declare(projection: Named, indexes: string[], leases: MongoLeases): Promise<void> {
    await leases.interrupt();
    await this.transactions.run(async session => {
      await leases.disturb(session);
      await this.places.unsettle(session);
      await this.live.updateOne(
        { _id: liveId(projection) },
        { $addToSet: { indexes: { $each: indexes } } },
        { session },
      );
    });
  }
}
