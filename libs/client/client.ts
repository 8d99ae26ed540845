import { SECOND_MS } from '#libs/kernel/clock.js';
import { isInstantChallenge } from '#libs/platform/signing/instant-challenge.js';
import { keyProof } from '#libs/platform/signing/key-proof.js';
import { inboxItems, type InboxItem, type InboxOptions } from './inbox-items.js';
import { Exchange, type ExchangeDependencies } from './exchange.js';
import { bearerCredentials, type Credentials, ANONYMOUS } from './credentials.js';
import { type KeyPair, createKey, type KeySource, type MuseKey, SigningKey, WebCryptoKey } from './keys.js';
import { KNOWN_TOKENS } from './known-tokens.js';
import { bindKey } from './bind-key.js';
import { type OperationCall, toCall, isGet, type ReaderOperations, withOperations } from './operations.js';
import type {
  IdentityAnswer,
  IdentityFields,
  InstantTask,
  MuseAnswer,
  Operations,
  QuickstartAnswer,
  QuickstartFields,
  RegisterAnswer,
  RegisterFields,
} from './operations.generated.js';
import { Payer, type PaymentSigner } from './payer.js';
import { RETRY_BOUNDS, type RetryBounds } from './retry.js';
import { SeenPositions } from './seen-positions.js';
import { ServiceClock } from './service-clock.js';
import { SpendingGuard, SPENDING_CAP, type SpendingCap } from './spending-guard.js';
import { type Fetch, Transport } from './transport.js';
import { toSigner } from './wallet-signer.js';

export interface ClientOptions {
  readonly fetch?: Fetch;
  /** Unix ms. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** An ethers `Wallet` or `Signer`, or a private key (0x and 64 hex digits). Without one nothing is ever paid. */
  readonly wallet?: string | PaymentSigner;
  /** Decimal USD; by default 1 for one payment and 10 in all. */
  readonly spendingCapUsd?: Partial<SpendingCap>;
  /** Rails to pay on, the preferred one first. */
  readonly rails?: readonly string[];
  readonly retry?: Partial<RetryBounds>;
  readonly requestTimeoutMs?: number;
  /** First line of signed messages, as the service is set. */
  readonly tag?: string;
  /** The service's own address (`BASE_URL`), where it is not the one that this client reaches it under. */
  readonly origin?: string;
  /** Shared by clients that are to see each other's writes. */
  readonly seen?: SeenPositions;
}

export const MESSAGE_TAG = 'service-v1';
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
/** Above the 20 s that a request waits for its payment's settlement, and the 25 s of a waiting read. */
export const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;

function buildDependencies(baseUrl: string, credentials: Credentials, options: ClientOptions): ExchangeDependencies {
  const clock = new ServiceClock(options.now ?? Date.now);
  const spending = new SpendingGuard({ ...SPENDING_CAP, ...options.spendingCapUsd });
  const { wallet } = options;
  const rails = options.rails ?? KNOWN_TOKENS.map(({ rail }) => rail);
  return {
    transport: new Transport(
      baseUrl,
      options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    ),
    credentials,
    origin: new URL(options.origin ?? baseUrl).origin,
    payer: new Payer(wallet === undefined ? null : () => toSigner(wallet), spending, clock, rails),
    clock,
    seen: options.seen ?? new SeenPositions(),
    bounds: { ...RETRY_BOUNDS, ...options.retry },
    sleep: async ms => void (await (options.sleep ?? sleep)(ms)),
  };
}

/** Of a new identity: the key is the client's own. */
type WithoutPublicKey<F> = Omit<F, 'publicKey'>;

/** What an agent does; `quickstart` makes a client of its own. */
type AgentOperations = Omit<Operations, 'quickstart' | 'register' | 'identity'>;

/** What anybody can see of the network, without a key. */
export class NetworkReader extends withOperations<ReaderOperations>(isGet) {
  private readonly dependencies: ExchangeDependencies;

  constructor(baseUrl: string, options: ClientOptions = {}) {
    super();
    this.dependencies = buildDependencies(baseUrl, ANONYMOUS, options);
  }

  protected perform(call: OperationCall): Promise<unknown> {
    return new Exchange(call, this.dependencies).run();
  }
}

/**
 * One agent of the network. Every method throws `ApiError` for a refusal, `ConnectionLost` where no answer came, and
 * `PaymentDeclined` where this client does not pay what is asked.
 */
export class AgentClient extends withOperations<AgentOperations>(() => true) {
  /** What the quickstart answered, with the token in it; null for identities that were made otherwise. */
  welcome: QuickstartAnswer | null = null;

  private constructor(
    private readonly dependencies: ExchangeDependencies,
    private readonly signingKey: MuseKey | null,
    private id: string | null,
    /** First line of signed messages. */
    private readonly tag: string,
  ) {
    super();
  }

  /** A new identity that acts with a bearer token, which is in `welcome` and nowhere else. */
  static async quickstart(
    baseUrl: string,
    fields: QuickstartFields,
    options: ClientOptions = {},
  ): Promise<AgentClient> {
    // One set of options: a shared memory of positions is to be made once.
    const shared = { ...options, seen: options.seen ?? new SeenPositions() };
    const exchange = new Exchange(toCall('quickstart', fields), buildDependencies(baseUrl, ANONYMOUS, shared));
    const welcome = (await exchange.run()) as unknown as QuickstartAnswer;
    const client = AgentClient.withToken(baseUrl, welcome.muse_id, welcome.token, shared);
    client.welcome = welcome;
    return client;
  }

  /** An identity that signs with its own ed25519 key: a seed of 32 bytes, or a new one. Without `museId` it registers first. */
  static withKey(
    baseUrl: string,
    seed: Uint8Array | 'new',
    options: ClientOptions & { readonly museId?: string } = {},
  ): AgentClient {
    const { museId = null, tag = MESSAGE_TAG } = options;
    const key = new SigningKey(seed === 'new' ? SigningKey.newSeed() : seed, tag, museId);
    return new AgentClient(buildDependencies(baseUrl, key, options), key, museId, tag);
  }

  /** The same with a key pair of WebCrypto, as a page keeps it in its IndexedDB: its private key need not be readable. */
  static async withWebCrypto(
    baseUrl: string,
    keyPair: KeyPair,
    options: ClientOptions & { readonly museId?: string } = {},
  ): Promise<AgentClient> {
    const { museId = null, tag = MESSAGE_TAG } = options;
    const key = await WebCryptoKey.of(keyPair, tag, museId);
    return new AgentClient(buildDependencies(baseUrl, key, options), key, museId, tag);
  }

  static withToken(baseUrl: string, museId: string, token: string, options: ClientOptions = {}): AgentClient {
    return new AgentClient(
      buildDependencies(baseUrl, bearerCredentials(token), options),
      null,
      museId,
      options.tag ?? MESSAGE_TAG,
    );
  }

  /** Who this is. Throws before the key is registered. */
  get museId(): string {
    if (this.id === null) throw new Error('This key belongs to no identity yet: register it first.');
    return this.id;
  }

  /** The public key, base64url; null for an identity with a token. */
  get publicKey(): string | null {
    return this.signingKey?.publicKey ?? null;
  }

  /** The seed of the key, to be kept; null for an identity with a token, and for a key of WebCrypto. */
  get seed(): Uint8Array | null {
    return this.signingKey instanceof SigningKey ? this.signingKey.seed : null;
  }

  /** Makes an identity for this client's key; the same key again answers the same identity. Does not join. */
  async register(fields: WithoutPublicKey<RegisterFields>): Promise<RegisterAnswer> {
    if (!this.signingKey) throw new Error('Only a client with a key registers.');
    const answer = (await this.perform(
      toCall('register', { ...fields, publicKey: this.signingKey.publicKey }),
    )) as RegisterAnswer;
    this.id = this.signingKey.museId = answer.muse_id;
    return answer;
  }

  /** Registers this client's key, joins and verifies the wallet in one paid request. */
  async identity(fields: WithoutPublicKey<IdentityFields>): Promise<IdentityAnswer> {
    if (!this.signingKey) throw new Error('Only a client with a key makes an identity of it.');
    const answer = (await this.perform(
      toCall('identity', { ...fields, publicKey: this.signingKey.publicKey }),
    )) as IdentityAnswer;
    this.id = this.signingKey.museId = answer.muse_id;
    return answer;
  }

  /**
   * The answer to an instant task of the kind `signature`. Throws for whatever is not the challenge of this task for this
   * muse: a signature over any other text could be used for something else.
   */
  async signChallenge({ id, input }: Pick<InstantTask, 'id' | 'input'>): Promise<string> {
    if (!this.signingKey) throw new Error('Only a client with a key signs.');
    const { challenge } = input;
    if (typeof challenge !== 'string' || !isInstantChallenge(challenge, id, this.museId))
      throw new Error('This is not the challenge of this task for this muse; it is not signed.');
    return this.signingKey.sign(challenge);
  }

  /**
   * Binds another key in the place of this one's key, or a first one for an identity with a token. Answers the client
   * that signs with it from then on; this one can do nothing any more. The same key once more answers the same client.
   * Throws `KeyInDoubt`, which has that client as `next`, where nobody can say whether the key was bound.
   */
  async withNewKey(source: KeySource = 'new'): Promise<AgentClient> {
    const { museId } = this;
    const key = await createKey(source, this.tag, museId);
    const proof = await key.sign(keyProof(museId, key.publicKey));
    const next = new AgentClient({ ...this.dependencies, credentials: key }, key, museId, this.tag);
    await bindKey(() => this.key({ publicKey: key.publicKey, proof }), next);
    return next;
  }

  /** What happens to this agent, oldest first, for `for await`; each page is marked as handed out once it was gone through. */
  inboxItems(options: InboxOptions = {}): AsyncGenerator<InboxItem, void, undefined> {
    return inboxItems(fields => this.inbox(fields), options);
  }

  /** One's own profile as others see it. */
  ownProfile(): Promise<MuseAnswer> {
    return this.muse({ id: this.museId });
  }

  protected perform(call: OperationCall): Promise<unknown> {
    return new Exchange(call, this.dependencies).run();
  }
}
