import { parentPort, workerData } from 'node:worker_threads';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { CommitConflict } from './document-store.port.js';
import { BuildWriter } from './sqlite.build-writer.js';
import type { FillThreadResponse, FillThreadRequest } from './sqlite.fill-thread.js';
import { SqliteLeases } from './sqlite.leases.js';
import { FILE_OPTIONS } from './sqlite.schema.js';

const port = parentPort!;
const writer = Sqlite.open(workerData as string, FILE_OPTIONS);
// A page that changes often is copied to the file less often. The log takes 80 MB.
writer.exec('PRAGMA wal_autocheckpoint = 40000');
const leases = new SqliteLeases(writer, { dissolve: () => undefined });
const filler = new BuildWriter(writer, leases);
let queue: Promise<void> = Promise.resolve();

port.on('message', (message: FillThreadRequest) => {
  queue = queue.then(() => (message === null ? end() : handle(message)));
});

async function handle({ build, filling, lease }: NonNullable<FillThreadRequest>): Promise<void> {
  const failure = await filler
    .fill({ name: build }, filling, async () => lease)
    .then(
      () => null,
      (error: Error) => ({ isConflict: error instanceof CommitConflict, message: error.message }),
    );
  port.postMessage({ failure } satisfies FillThreadResponse);
}

function end(): void {
  writer.close();
  port.close();
}
