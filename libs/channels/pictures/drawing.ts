import type { Worker } from 'node:worker_threads';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { type Drawn, startDrawing } from './drawing-thread.js';
import type { Font } from './font.js';

/** How many pictures wait at most, the one that is drawn among them. */
const WAITING_MAX = 32;
/** How long a thread may take for one picture before it is ended, and all that wait for it with it. */
const TIMEOUT_MS = 20 * SECOND_MS;
const RETRY_SECONDS = 2;

interface Waiting {
  readonly resolve: (png: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** Draws SVG as PNG on a thread of its own, one after the other, which is started by the first. */
export class Drawing {
  private readonly waiting = new Map<number, Waiting>();
  private thread: Worker | null = null;
  private timer: NodeJS.Timeout | undefined;
  private last = 0;

  constructor(private readonly font: Font) {}

  /** Refuses with `busy` where too many wait already. */
  async draw(svg: string): Promise<Buffer> {
    if (this.waiting.size >= WAITING_MAX)
      throw new Refusal('busy', 'Too many pictures are being drawn.', { retryAfter: RETRY_SECONDS });
    const thread = (this.thread ??= this.start());
    const number = (this.last += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      if (this.waiting.size === 1) this.watch(thread);
      thread.postMessage({ number, svg });
    });
  }

  async stop(): Promise<void> {
    const { thread } = this;
    if (thread) this.fail(thread, new Error('The service stops.'));
    await thread?.terminate();
  }

  private start(): Worker {
    const thread = startDrawing(this.font);
    thread.on('message', (drawn: Drawn) => this.take(thread, drawn));
    thread.on('error', error => this.fail(thread, error));
    return thread;
  }

  /** From now on, while any waits. */
  private watch(thread: Worker): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0) return;
    this.timer = setTimeout(() => this.fail(thread, new Error('A picture was not drawn in time.')), TIMEOUT_MS);
  }

  private take(thread: Worker, { number, png, error }: Drawn): void {
    const waiting = this.waiting.get(number);
    if (!waiting) return;
    this.waiting.delete(number);
    this.watch(thread);
    if (png) waiting.resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    else waiting.reject(new Error(`A picture was not drawn: ${error}`));
  }

  /** Whoever comes next gets another thread. */
  private fail(thread: Worker, error: Error): void {
    if (this.thread !== thread) return;
    this.thread = null;
    clearTimeout(this.timer);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    void thread.terminate();
  }
}
