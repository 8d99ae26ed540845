import { createHash } from 'node:crypto';
import { publicKeyNoble, signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { LocalServer } from './local-server.js';
import type { HeaderFields } from './raw-agent.js';

export interface SignatureOverrides {
  readonly authority?: string;
  readonly agent?: string;
  /** Dictionary member with the agent; a plain string by default. */
  readonly member?: string;
  readonly created?: number;
  readonly expires?: number;
  readonly keyid?: string;
  readonly tag?: string;
  readonly seed?: Uint8Array;
  readonly more?: string;
  readonly covered?: { readonly [component: string]: string };
  readonly covers?: readonly string[];
}

/** RFC 7638 thumbprint of an ed25519 key, independent of the service. */
export const thumbprint = (x: string) =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');

/** Operator domain with a key directory that signs as RFC 9421 defines, with a second ed25519. */
export class TestOperator {
  readonly seed: Uint8Array = new Uint8Array(createHash('sha256').update(`operator ${Math.random()}`).digest());
  readonly publicKey: string = publicKeyNoble(this.seed);
  readonly keyid: string = thumbprint(this.publicKey);
  /** Body of the directory; null for 404. */
  directory: string | null = JSON.stringify({ keys: [this.jwk()] });
  readonly asked: string[] = [];

  private readonly server = new LocalServer((request, response) => {
    this.asked.push(request.url ?? '');
    const type = { 'content-type': 'application/http-message-signatures-directory+json' };
    response.writeHead(this.directory === null ? 404 : 200, type).end(this.directory);
  });

  /** The domain is that of its server, unless its directory is served elsewhere. */
  private constructor(private readonly ownDomain: string | null) {}

  static at = (domain: string): TestOperator => new TestOperator(domain);

  static async start(): Promise<TestOperator> {
    const operator = new TestOperator(null);
    await operator.server.listen();
    return operator;
  }

  get domain(): string {
    return this.ownDomain ?? this.server.host;
  }

  jwk(more: object = {}) {
    return { kty: 'OKP', crv: 'Ed25519', x: this.publicKey, ...more };
  }

  headers(url: string, now: number, as: SignatureOverrides = {}): HeaderFields {
    const seconds = Math.floor(now / 1000);
    const { agent = `http://${this.domain}`, member, created = seconds, expires = created + 300 } = as;
    const field = member === undefined ? `"${agent}"` : `${member}="${agent}"`;
    const by = member === undefined ? '"signature-agent"' : `"signature-agent";key="${member}"`;
    const values: { readonly [component: string]: string } = {
      '"@authority"': as.authority ?? new URL(url).host,
      [by]: `"${agent}"`,
      '"signature-agent"': field,
      ...as.covered,
    };
    const covers = as.covers ?? ['"@authority"', by, ...Object.keys(as.covered ?? {})];
    const { keyid = this.keyid, tag = 'web-bot-auth', more = '' } = as;
    const times = `;created=${created};expires=${expires}`;
    const params = `(${covers.join(' ')})${times};keyid="${keyid}";alg="ed25519"${more};tag="${tag}"`;
    const base = [...covers.map(name => `${name}: ${values[name]}`), `"@signature-params": ${params}`].join('\n');
    const signature = Buffer.from(signNoble(as.seed ?? this.seed, base), 'base64url').toString('base64');
    return { 'signature-agent': field, 'signature-input': `sig1=${params}`, signature: `sig1=:${signature}:` };
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
