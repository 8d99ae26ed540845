import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
export class ScriptedService {
  readonly seen: Seen[] = [];

  private constructor(private readonly server: Server) {}

  static async start(next: (seen: Seen) => Step): Promise<ScriptedService> {
    const server = createServer();
    const service = new ScriptedService(server);
    server.on('request', (request, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const body = text === '' ? {} : (JSON.parse(text) as { [name: string]: string });
        const seen = { method: request.method!, path: request.url!, headers: request.headers, text, body };
        service.seen.push(seen);
        answer(response, next(seen));
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
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
