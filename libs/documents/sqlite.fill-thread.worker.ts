import { parentPort, workerData } from 'node:worker_threads';
import { Sqlite } from '#libs/platform/sqlite/open.js';
import { CommitConflict } from './port.js';
import { BuildWriter } from './sqlite.build-writer.js';
import type { FromFillThread, ToFillThread } from './sqlite.fill-thread.js';
import { SqliteFiller } from './sqlite.filler.js';
import { SqliteLeases } from './sqlite.leases.js';
import { FILE } from './sqlite.schema.js';

/** Writes one filling after the other into the file that it is given. */
const port = parentPort!;
const writer = Sqlite.open(workerData as string, FILE);
const leases = new SqliteLeases(writer, { dissolve: () => undefined });
const filler = new SqliteFiller(writer, leases, new BuildWriter(writer));
let last: Promise<void> = Promise.resolve();

port.on('message', (message: ToFillThread) => {
  last = last.then(() => (message === null ? end() : take(message)));
});

async function take({ build, filling, lease }: NonNullable<ToFillThread>): Promise<void> {
  const failure = await filler
    .fill({ name: build }, filling, async () => lease)
    .then(
      () => null,
      (error: Error) => ({ isConflict: error instanceof CommitConflict, message: error.message }),
    );
  port.postMessage({ failure } satisfies FromFillThread);
}

function end(): void {
  writer.close();
  port.close();
}
