import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Core } from '#apps/gateway/core.js';
import type { FillProgress } from '#libs/documents/fill-progress.js';
import type { Position } from '#libs/kernel/event.js';
import { showFilling } from './filling.js';
import type { Running } from './projecting.js';

export type ThreadData = Pick<Core, 'settings' | 'holder'>;
/** `hurry`: somebody waits for the documents. */
export type ToThread = 'hurry' | 'stop';
export type FromThread =
  | { readonly kind: 'filling'; readonly progress: FillProgress }
  | { readonly kind: 'filled' }
  | { readonly kind: 'moved'; readonly position: Position }
  | { readonly kind: 'stopped'; readonly name: string; readonly reason: string };

/**
 * Keeps the documents up on a thread beside the one that answers requests, so that these do not wait for that. Answers
 * once it has begun, with every build filled. An error in the thread ends the process: without it no document would
 * ever move again.
 */
export async function startProjectionsBeside({
  settings,
  holder,
  models,
  log,
}: Pick<Core, 'settings' | 'holder' | 'models' | 'log'>): Promise<Running> {
  const thread = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: { settings, holder } satisfies ThreadData,
  });
  const tell = (message: ToThread) => thread.postMessage(message);
  const filling = showFilling(log);
  thread.on('error', error => {
    throw error;
  });
  const filled = new Promise<void>(resolve => {
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'moved') models.moved(message.position);
      else if (message.kind === 'stopped') models.stop(message.name, message.reason);
      else if (message.kind === 'filling') filling.onProgress(message.progress);
      else resolve();
    });
  });
  models.onWait(() => tell('hurry'));
  await filled;
  filling.end();
  const stop = async () => {
    const ended = once(thread, 'exit');
    tell('stop');
    await ended;
  };
  return { stop };
}
