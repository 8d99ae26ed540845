import { setTimeout as pause } from 'node:timers/promises';
import { newNonce, quickstart, send } from '../../raw-agent.js';

const AGAIN_MS = 50;
/** Makes each job title unique within a run. */
let requestCount = 0;
const JOB = { summary: 'From English to French.', done: 'A page at an address.' };

/** Token holders that post free jobs to the gateways in turn. */
export class Writers {
  /** Slugs of jobs with a response, by title. */
  readonly answered = new Map<string, string>();
  private isWriting = false;
  private everyMs = 0;
  private running: Promise<void>[] = [];

  private constructor(
    private readonly urls: () => readonly string[],
    private readonly tokens: readonly { readonly [name: string]: string }[],
  ) {}

  static async join(urls: () => readonly string[], count: number): Promise<Writers> {
    const tokens = [];
    for (let at = 0; at < count; at += 1) tokens.push((await quickstart(urls()[0]!, { kind: `writer ${at}` })).headers);
    return new Writers(urls, tokens);
  }

  /** Posts at this rate, as far as responses arrive in time. */
  start(perSecond: number): void {
    this.isWriting = true;
    this.everyMs = (1_000 * this.tokens.length) / perSecond;
    this.running = this.tokens.map(headers => this.write(headers));
    // `stop` reports the error.
    for (const each of this.running) each.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isWriting = false;
    await Promise.all(this.running);
  }

  async post(headers = this.tokens[0]!): Promise<{ role: string; url: string }> {
    const title = `Job ${(requestCount += 1)}`;
    const own = { ...headers, 'idempotency-key': newNonce(), 'min-position': '0' };
    // Repeats an unanswered request at the next gateway; it runs only once.
    for (let at = requestCount; ; at += 1) {
      const urls = this.urls();
      const url = urls[at % urls.length]!;
      const reply = await send(url, '/api/job', { body: { ...JOB, title }, headers: own }).catch(() => null);
      if (reply?.status === 200) {
        const role = reply.body['role'] as string;
        this.answered.set(title, role);
        return { role, url };
      }
      if (reply && reply.status < 500 && reply.body['code'] !== 'in_progress')
        throw new Error(`A job was answered with ${JSON.stringify(reply.body)}.`);
      await pause(AGAIN_MS);
    }
  }

  private async write(headers: { readonly [name: string]: string }): Promise<void> {
    while (this.isWriting) await Promise.all([this.post(headers), pause(this.everyMs)]);
  }
}
