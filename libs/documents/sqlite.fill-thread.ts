import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FillBatch, FillThread, RenewLease, NewBuild } from './builds.port.js';
import { CommitConflict, type Lease } from './document-store.port.js';
import type { SqliteFillBatch } from './sqlite.build-writer.js';

export type FillThreadRequest = {
  readonly build: string;
  readonly filling: SqliteFillBatch;
  readonly lease: Lease;
} | null;
export type FillThreadResponse = {
  readonly failure: { readonly isConflict: boolean; readonly message: string } | null;
};

interface PendingFill {
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

/**
 * Fills builds on another thread with its own connection while the caller folds. A fill uses the lease as of its start,
 * and every step checks it.
 */
export class SqliteFillThread implements FillThread {
  private readonly thread: Worker;
  private readonly pending: PendingFill[] = [];
  private error: Error | null = null;

  constructor(file: string, program = new URL('./sqlite.fill-thread.worker.js', import.meta.url)) {
    this.thread = new Worker(program, { workerData: file });
    this.thread.on('message', ({ failure }: FillThreadResponse) => {
      const { done, failed } = this.pending.shift()!;
      if (failure === null) done();
      else failed(failure.isConflict ? new CommitConflict(failure.message) : new Error(failure.message));
    });
    this.thread.on('error', cause => this.fail(cause));
    this.thread.on('exit', code => this.fail(code));
  }

  async fill({ name: build }: Pick<NewBuild, 'name'>, filling: FillBatch, keep: RenewLease): Promise<void> {
    const lease = await keep();
    if (this.error) throw this.error;
    const documents = filling.documents.map(each => ({ ...each, body: each.body && JSON.stringify(each.body) }));
    await new Promise<void>((done, failed) => {
      this.pending.push({ done, failed });
      this.send({ build, filling: { ...filling, documents }, lease });
    });
  }

  async end(): Promise<void> {
    if (this.error) return;
    const ended = once(this.thread, 'exit');
    this.send(null);
    await ended;
  }

  private fail(cause: unknown): void {
    const error = (this.error ??= new Error('The thread that writes documents has stopped unexpectedly.', { cause }));
    for (const { failed } of this.pending.splice(0)) failed(error);
  }

  private send(message: FillThreadRequest): void {
    this.thread.postMessage(message);
  }
}
