import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from '../../local-server.js';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly [name: string]: string };
}

/** Response to one request, or a broken connection. */
export type Step =
  | 'lost'
  | {
      readonly status?: number;
      readonly body?: object;
      readonly headers?: { readonly [name: string]: string };
      readonly text?: string;
    };

export const ok = (body: object = {}, headers: { readonly [name: string]: string } = {}): Step => ({
  body: { ok: true, ...body },
  headers,
});

export function refused(
  status: number,
  code: string,
  more: object = {},
  headers: { readonly [name: string]: string } = {},
): Step {
  const retryable = status === 429 || status === 503;
  return { status, body: { ok: false, error: `Refused: ${code}.`, code, retryable, ...more }, headers };
}

/** Service that responds by a script and records the requests. */
export class ScriptedService extends LocalServer {
  readonly seen: Seen[] = [];

  private constructor(private readonly next: (seen: Seen) => Step) {
    super();
  }

  static start(next: (seen: Seen) => Step): Promise<ScriptedService> {
    return new ScriptedService(next).listen();
  }

  protected override handle({ method, url, headers }: IncomingMessage, response: ServerResponse, text: string): void {
    const body = text === '' ? {} : (JSON.parse(text) as { [name: string]: string });
    const seen = { method: method!, path: url!, headers, text, body };
    this.seen.push(seen);
    answer(response, this.next(seen));
  }
}

function answer(response: ServerResponse, step: Step): void {
  if (step === 'lost') return void response.destroy();
  response.writeHead(step.status ?? 200, { 'content-type': 'application/json', ...step.headers });
  response.end(step.text ?? JSON.stringify(step.body ?? {}));
}

/** Runs a test against a scripted service, and fails if script steps are left over. */
export async function against(
  script: Step[] | ((seen: Seen) => Step),
  test: (service: ScriptedService) => Promise<void>,
): Promise<void> {
  const steps = typeof script === 'function' ? [] : [...script];
  const next = typeof script === 'function' ? script : () => steps.shift() ?? refused(500, 'script_ended');
  const service = await ScriptedService.start(next);
  try {
    await test(service);
    if (steps.length > 0) throw new Error(`${steps.length} steps of the script were not asked for.`);
  } finally {
    await service.stop();
  }
}
