import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FillProgress } from '#libs/documents/filling/fill-progress.js';
import { type ProgressDisplay, showProgress } from '#libs/documents/filling/progress-display.js';
import type { Position } from '#libs/kernel/event.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Core } from './core.js';
import type { BackgroundTask } from './background-tasks.js';

/** Limits the young generation of the thread, in MB. V8's default takes 20 MB more and is not faster. */
const YOUNG_MB = 12;
/** Name of the thread in outages. */
const THREAD = 'projections thread';

type ThreadCore = Pick<Core, 'models' | 'log' | 'opening'>;

export interface ThreadData {
  readonly settings: Settings;
  /** Holder of the leases. */
  readonly holder?: string | undefined;
}
/** `hurry`: a request waits for the documents. */
export type ThreadCommand = 'hurry' | 'stop' | { readonly enforcedUpTo: Position };
export type ThreadMessage =
  | { readonly kind: 'filling'; readonly progress: FillProgress }
  | { readonly kind: 'filled' }
  | { readonly kind: 'outage'; readonly part: string; readonly reason: string }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'damaged'; readonly file: string; readonly details: string }
  | { readonly kind: 'moved'; readonly position: Position; readonly isAnew: boolean }
  | { readonly kind: 'stopped'; readonly name: string; readonly reason: string };

/**
 * Keeps the documents current on a second thread, which loads while the caller loads its own modules. The result
 * connects the two and resolves once all builds are filled. An error in the thread ends the process.
 */
export function startProjectionThread(
  data: ThreadData,
): (core: ThreadCore, enforced: Promise<Position>) => Promise<BackgroundTask> {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
  const thread = new Worker(new URL('./projections-thread.js', import.meta.url), { workerData: data, resourceLimits });
  const send = (command: ThreadCommand) => thread.postMessage(command);
  const early: ThreadMessage[] = [];
  let receive = (message: ThreadMessage): void => void early.push(message);
  thread.on('message', (message: ThreadMessage) => receive(message));
  const failed = once(thread, 'error').then(([error]) => {
    throw error;
  });
  failed.catch(() => undefined);
  return async (core, enforced) => {
    const filling = showProgress(core.log, core.opening);
    const filled = new Promise<void>(resolve => {
      receive = message => handleMessage(message, core, filling, resolve);
      early.splice(0).forEach(receive);
    });
    core.models.onWait(() => send('hurry'));
    void enforced.then(enforcedUpTo => send({ enforcedUpTo })).catch(() => undefined);
    await Promise.race([filled, failed]);
    filling.end();
    thread.on('error', error => {
      throw error;
    });
    const stop = async () => {
      const ended = once(thread, 'exit');
      send('stop');
      await ended;
    };
    return { stop };
  };
}

function handleMessage(
  message: ThreadMessage,
  { models, log }: ThreadCore,
  filling: ProgressDisplay,
  filled: () => void,
): void {
  switch (message.kind) {
    case 'moved':
      return models.moved(message.position, message.isAnew);
    case 'stopped':
      return models.stop(message.name, message.reason);
    case 'filling':
      return filling.onProgress(message.progress);
    case 'outage':
      return OutageTracker.of(log).recordOutage(
        new Unavailable(message.part, { cause: new Error(message.reason) }),
        THREAD,
      );
    case 'damaged':
      return Sqlite.markDamaged(message.file, message.details);
    case 'recovered':
      return OutageTracker.of(log).recordSuccess(THREAD);
    case 'filled':
      return filled();
  }
}
