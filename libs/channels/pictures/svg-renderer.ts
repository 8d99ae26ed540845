import type { Worker } from 'node:worker_threads';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { type RenderResult, startRendererThread } from './svg-renderer-thread.js';
import type { Font } from './font.js';

/** How many pictures wait at most, the one that is drawn among them. */
const PENDING_MAX = 32;
/** How long a thread may take for one picture before it is ended, and all that wait for it with it. */
const TIMEOUT_MS = 20 * SECOND_MS;
const RETRY_SECONDS = 2;

interface PendingRender {
  readonly resolve: (png: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** Draws SVG as PNG on a thread of its own, one after the other, which is started by the first. */
export class SvgRenderer {
  private readonly pending = new Map<number, PendingRender>();
  private thread: Worker | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastNumber = 0;

  constructor(private readonly font: Font) {}

  /** Refuses with `busy` where too many wait already. */
  async render(svg: string): Promise<Buffer> {
    if (this.pending.size >= PENDING_MAX)
      throw new Refusal('busy', 'Too many pictures are being drawn.', { retryAfter: RETRY_SECONDS });
    const thread = (this.thread ??= this.start());
    const number = (this.lastNumber += 1);
    return new Promise((resolve, reject) => {
      this.pending.set(number, { resolve, reject });
      if (this.pending.size === 1) this.startTimer(thread);
      thread.postMessage({ number, svg });
    });
  }

  async stop(): Promise<void> {
    const { thread } = this;
    if (thread) this.fail(thread, new Error('The service stops.'));
    await thread?.terminate();
  }

  private start(): Worker {
    const thread = startRendererThread(this.font);
    thread.on('message', (drawn: RenderResult) => this.complete(thread, drawn));
    thread.on('error', error => this.fail(thread, error));
    return thread;
  }

  /** From now on, while any waits. */
  private startTimer(thread: Worker): void {
    clearTimeout(this.timer);
    if (this.pending.size === 0) return;
    this.timer = setTimeout(() => this.fail(thread, new Error('A picture was not drawn in time.')), TIMEOUT_MS);
  }

  private complete(thread: Worker, { number, png, error }: RenderResult): void {
    const waiting = this.pending.get(number);
    if (!waiting) return;
    this.pending.delete(number);
    this.startTimer(thread);
    if (png) waiting.resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    else waiting.reject(new Error(`A picture was not drawn: ${error}`));
  }

  /** Whoever comes next gets another thread. */
  private fail(thread: Worker, error: Error): void {
    if (this.thread !== thread) return;
    this.thread = null;
    clearTimeout(this.timer);
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
    void thread.terminate();
  }
}
