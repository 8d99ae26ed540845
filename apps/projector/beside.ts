import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Core } from '#apps/gateway/core.js';
import type { Position } from '#libs/kernel/event.js';
import type { Running } from './projecting.js';

/** `hurry`: somebody waits for the documents. */
export type ToThread = 'hurry' | 'stop';
export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'moved'; readonly position: Position }
  | { readonly kind: 'stopped'; readonly name: string; readonly reason: string };

/**
 * Keeps the documents up on a thread beside the one that answers requests, which then need not wait for each other.
 * Answers once the thread has the documents open. Where it fails, the process ends: nobody would notice otherwise.
 */
export async function startProjectionsBeside({
  settings,
  models,
}: Pick<Core, 'settings' | 'models'>): Promise<Running> {
  const thread = new Worker(new URL('./thread.js', import.meta.url), { workerData: settings });
  const tell = (message: ToThread) => thread.postMessage(message);
  const ready = new Promise<void>((resolve, reject) => {
    thread.once('error', reject);
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'moved') models.moved(message.position);
      else models.stop(message.name, message.reason);
    });
  });
  await ready;
  thread.on('error', error => {
    throw error;
  });
  models.onWait(() => tell('hurry'));
  const stop = async () => {
    const ended = once(thread, 'exit');
    tell('stop');
    await ended;
  };
  return { stop };
}
