import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { blocksOf } from '../docs/blocks.js';
import type { HeaderFields } from '../raw-agent.js';

const PAGE = 'docs/operating.md';
/** Names in the documented examples. */
const EXAMPLE = { host: 'agents.example.org', upstream: '127.0.0.1:3000' };
const READY_MS = 15_000;
const LOOK_MS = 100;

interface Setup {
  readonly folder: string;
  readonly host: string;
  readonly upstream: string;
  readonly port: number;
  readonly plainPort: number;
}

interface Kind {
  readonly language: string;
  readonly binaries: readonly string[];
  /** Writes the example as a complete configuration with its own ports and files. Returns the arguments. */
  readonly configure: (this: void, example: string, setup: Setup) => readonly string[];
  /** The certificate authority for clients, relative to the folder. */
  readonly authority: string;
}

const NGINX = process.env['NGINX'] ?? '/usr/sbin/nginx';
const CADDY = process.env['CADDY'] ?? '/usr/bin/caddy';
const OPENSSL = '/usr/bin/openssl';

const KINDS = {
  nginx: {
    language: 'nginx',
    binaries: [NGINX, OPENSSL],
    configure(example, { folder, host, port, plainPort }) {
      const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
      const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=DNS:${host}`, '-days', '2', '-nodes'];
      const files = ['-keyout', key, '-out', certificate];
      execFileSync(OPENSSL, ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files], { stdio: 'pipe' });
      const servers = example
        .replace(/^ *listen \[::\].*\n/gm, '')
        .replace(/listen 443/, `listen 127.0.0.1:${port}`)
        .replace(/listen 80/, `listen 127.0.0.1:${plainPort}`)
        .replace(/\/etc\/letsencrypt\S+fullchain.pem/, certificate)
        .replace(/\/etc\/letsencrypt\S+privkey.pem/, key);
      const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = kept.map(name => `${name}_temp_path ${join(folder, name)};`).join('\n');
      const whole = `daemon off;\npid ${join(folder, 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${servers}}\n`;
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, whole);
      // Lets the workers of nginx read it, which run as another user under root.
      chmodSync(folder, 0o755);
      return [NGINX, '-e', 'stderr', '-p', folder, '-c', file];
    },
    authority: 'server.crt',
  },
  caddy: {
    language: 'caddyfile',
    binaries: [CADDY],
    configure(example, { folder, port, plainPort }) {
      const local = ['admin off', 'skip_install_trust', 'local_certs', 'default_bind 127.0.0.1'];
      const ports = [`https_port ${port}`, `http_port ${plainPort}`];
      const file = join(folder, 'Caddyfile');
      writeFileSync(file, `{\n${[...local, ...ports].join('\n')}\n}\n${example}`);
      return [CADDY, 'run', '--adapter', 'caddyfile', '--config', file];
    },
    authority: 'caddy/pki/authorities/local/root.crt',
  },
} satisfies { readonly [name: string]: Kind };

export type ProxyName = keyof typeof KINDS;
export const PROXIES = Object.keys(KINDS) as ProxyName[];

const missing = (name: ProxyName) => KINDS[name].binaries.filter(binary => !existsSync(binary));
export const hasProxy = (name: ProxyName): boolean => missing(name).length === 0;

/** Says in the title that the tests were skipped without the proxy. */
export const titled = (name: ProxyName): string =>
  hasProxy(name) ? name : `${name} (NOT TRIED: there is no ${missing(name).join(' and no ')} here)`;

/** A proxy configured as in `docs/operating.md`, with other ports, names and certificates. */
export class Proxy {
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly child: ChildProcess,
    private readonly setup: Setup,
    private readonly authority: string,
  ) {}

  static async start(name: ProxyName, upstream: string, host: string): Promise<Proxy> {
    const { language, configure, authority }: Kind = KINDS[name];
    const folder = mkdtempSync(join(tmpdir(), `${name}-`));
    const [port, plainPort] = [await findFreePort(), await findFreePort()];
    const setup = { folder, host, upstream: new URL(upstream).host, port, plainPort };
    const examples = blocksOf(PAGE).filter(block => block.language === language);
    const text = examples.map(block => block.text).join('\n');
    const example = text.replaceAll(EXAMPLE.host, host).replaceAll(EXAMPLE.upstream, setup.upstream);
    const [binary, ...argv] = configure(example, setup) as [string, ...string[]];
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
    const child = spawn(binary, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const proxy = new Proxy(child, setup, join(folder, authority));
    for (const until = Date.now() + READY_MS; !(await proxy.isReady()); await pause(LOOK_MS)) {
      if (child.exitCode === null && Date.now() < until) continue;
      await proxy.stop();
      throw new Error(`${name} did not start: ${output}`);
    }
    return proxy;
  }

  get plainUrl(): string {
    return `http://127.0.0.1:${this.setup.plainPort}`;
  }

  /** Requests the public address over TLS and resolves with the response headers. */
  ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<IncomingMessage> {
    const { port, host } = this.setup;
    const connection = {
      host: '127.0.0.1',
      port,
      servername: host,
      ca: readFileSync(this.authority),
      agent: this.agent,
    };
    return new Promise((resolve, reject) => {
      const sent = request({ ...connection, path, method, headers: { host, ...headers } }, resolve);
      sent.on('error', reject).end(body);
    });
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    rmSync(this.setup.folder, { recursive: true, force: true });
  }

  private async isReady(): Promise<boolean> {
    if (!existsSync(this.authority)) return false;
    const answer = await this.ask('/api/health/live').catch(() => undefined);
    answer?.resume();
    return answer?.statusCode === 200;
  }
}

interface Asked {
  readonly method?: string;
  readonly headers?: HeaderFields;
  readonly body?: string;
}
