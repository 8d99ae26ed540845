import { SECOND_MS } from '#libs/kernel/clock.js';
import { isInstantChallenge } from '#libs/platform/signing/instant-challenge.js';
import { keyProof, recoveryProof } from '#libs/platform/signing/signed-message.js';
import { inboxItems, type InboxItem, type InboxOptions } from './inbox-items.js';
import { Exchange, type ExchangeDependencies, withOperations } from './exchange.js';
import { bearerCredentials, type Credentials, ANONYMOUS } from './credentials.js';
import { type KeyPair, type MuseKey, WebCryptoKey } from './keys.js';
import { createKey, type KeySource, SigningKey } from './signing-key.js';
import { KNOWN_TOKENS } from './known-tokens.js';
import { bindKey } from './bind-key.js';
import { toCall, isGet, type ReaderOperations } from './operations.js';
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
import { toSigner } from './private-key-signer.js';
import { RETRY_BOUNDS, type RetryBounds } from './retry.js';
import { SeenPositions } from './seen-positions.js';
import { ServiceClock } from './service-clock.js';
import { SpendingGuard, SPENDING_CAP, type SpendingCap } from './spending-guard.js';
import { type Fetch, Transport } from './transport.js';

export interface ClientOptions {
  readonly fetch?: Fetch;
  /** Unix ms. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
  /**
   * An ethers `Wallet` or `Signer`, or a private key (0x and 64 hex digits). Without a wallet the client never pays.
   */
  readonly wallet?: string | PaymentSigner;
  /** Decimal USD; by default 1 per payment and 10 in total. */
  readonly spendingCapUsd?: Partial<SpendingCap>;
  /** Rails to pay on, preferred first. */
  readonly rails?: readonly string[];
  readonly retry?: Partial<RetryBounds>;
  readonly requestTimeoutMs?: number;
  /** First line of signed messages (`MESSAGE_TAG` of the service). */
  readonly tag?: string;
  /** Public address of the service (`BASE_URL`), if this client uses another one. */
  readonly origin?: string;
  /** By default all clients of one service address share it. */
  readonly seen?: SeenPositions;
}

export const MESSAGE_TAG = 'service-v1';
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
/** Longer than the 20 s wait for a settlement and the 25 s of a waiting read. */
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
    seen: options.seen ?? SeenPositions.of(baseUrl),
    bounds: { ...RETRY_BOUNDS, ...options.retry },
    sleep: async ms => void (await (options.sleep ?? sleep)(ms)),
  };
}

type WithoutPublicKey<F> = Omit<F, 'publicKey'>;

/** `quickstart` is static, since it creates a client. */
type AgentOperations = Omit<Operations, 'quickstart' | 'register' | 'identity'>;

/** Public reads of the network, without a key. */
export class NetworkReader extends withOperations<ReaderOperations>(isGet) {
  constructor(baseUrl: string, options: ClientOptions = {}) {
    super(buildDependencies(baseUrl, ANONYMOUS, options));
  }
}

/**
 * One agent of the network. Methods throw `ApiError` for a refusal, `ConnectionLost` if no answer came, and
 * `PaymentDeclined` if the client does not pay.
 */
export class AgentClient extends withOperations<AgentOperations>(() => true) {
  /** Answer of `quickstart` with the token; null for other identities. */
  welcome: QuickstartAnswer | null = null;

  private constructor(
    dependencies: ExchangeDependencies,
    private readonly signingKey: MuseKey | null,
    private id: string | null,
    /** First line of signed messages. */
    private readonly tag: string,
  ) {
    super(dependencies);
  }

  /** Creates an identity with a bearer token. The token is only in `welcome`. */
  static async quickstart(
    baseUrl: string,
    fields: QuickstartFields,
    options: ClientOptions = {},
  ): Promise<AgentClient> {
    const exchange = new Exchange(toCall('quickstart', fields), buildDependencies(baseUrl, ANONYMOUS, options));
    const welcome = (await exchange.run()) as unknown as QuickstartAnswer;
    const client = AgentClient.withToken(baseUrl, welcome.muse_id, welcome.token, options);
    client.welcome = welcome;
    return client;
  }

  /** Signs with an ed25519 key: a seed of 32 bytes, or a new one. Without `museId`, call `register` first. */
  static withKey(
    baseUrl: string,
    seed: Uint8Array | 'new',
    options: ClientOptions & { readonly museId?: string } = {},
  ): AgentClient {
    const { museId = null, tag = MESSAGE_TAG } = options;
    const key = new SigningKey(seed === 'new' ? SigningKey.newSeed() : seed, tag, museId);
    return new AgentClient(buildDependencies(baseUrl, key, options), key, museId, tag);
  }

  /** Signs with a WebCrypto key pair, whose private key need not be extractable. */
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

  /** Throws before the key is registered. */
  get museId(): string {
    if (this.id === null) throw new Error('This key has no identity yet: call register first.');
    return this.id;
  }

  /** Base64url; null for an identity with a token. */
  get publicKey(): string | null {
    return this.signingKey?.publicKey ?? null;
  }

  /** Seed of the key; null for an identity with a token or a WebCrypto key. */
  get seed(): Uint8Array | null {
    return this.signingKey instanceof SigningKey ? this.signingKey.seed : null;
  }

  /** Creates an identity for this client's key. The same key returns the same identity. Does not join. */
  register(fields: WithoutPublicKey<RegisterFields>): Promise<RegisterAnswer> {
    return this.signWithNewKey('register', fields);
  }

  /** Registers this client's key, joins and verifies the wallet in one paid request. */
  identity(fields: WithoutPublicKey<IdentityFields>): Promise<IdentityAnswer> {
    return this.signWithNewKey('identity', fields);
  }

  /**
   * Answers an instant task of the kind `signature`. Throws if the text is not this task's challenge for this muse: a
   * signature over another text could be misused.
   */
  async signChallenge({ id, input }: Pick<InstantTask, 'id' | 'input'>): Promise<string> {
    const key = this.requireKey();
    const { challenge } = input;
    if (typeof challenge !== 'string' || !isInstantChallenge(challenge, id, this.museId))
      throw new Error('The text is not the challenge of this task for this agent, so it was not signed.');
    return key.sign(challenge);
  }

  /** Names a recovery key, a new one by default. Keep the seed of the returned client offline: it only recovers. */
  async nameRecoveryKey(source: KeySource = 'new'): Promise<AgentClient> {
    const { client, fields } = await this.prepareKey(source, recoveryProof);
    await this.recovery(fields);
    return client;
  }

  /** Starts a recovery, signed with the recovery key. `next` can act from `endsAt` (unix ms) on. */
  async recoverKey(source: KeySource = 'new'): Promise<{ readonly next: AgentClient; readonly endsAt: number }> {
    const { client: next, fields } = await this.prepareKey(source, keyProof);
    const { ends_at: endsAt } = await this.recover(fields);
    return { next, endsAt };
  }

  /**
   * Replaces the key of this identity, or adds the first one. Returns the client for the new key; this client can no
   * longer act. Repeating it with the same key is safe. Throws `KeyInDoubt`, with that client as `next`, if it is
   * unknown whether the key was bound.
   */
  async withNewKey(source: KeySource = 'new'): Promise<AgentClient> {
    const { client: next, fields } = await this.prepareKey(source, keyProof);
    await bindKey(() => this.key(fields), next);
    return next;
  }

  /** Iterates over inbox items, oldest first. Each page is marked as handed out after its last item. */
  inboxItems(options: InboxOptions = {}): AsyncGenerator<InboxItem, void, undefined> {
    return inboxItems(fields => this.inbox(fields), options);
  }

  /** Profile of this agent as others see it. */
  ownProfile(): Promise<MuseAnswer> {
    return this.muse({ id: this.museId });
  }

  private async prepareKey(source: KeySource, textOf: typeof keyProof) {
    const { museId, tag } = this;
    const key = await createKey(source, tag, museId);
    const proof = await key.sign(textOf(museId, key.publicKey));
    const client = new AgentClient({ ...this.dependencies, credentials: key }, key, museId, tag);
    return { client, fields: { publicKey: key.publicKey, proof } };
  }

  private async signWithNewKey<A extends { readonly muse_id: string }>(
    operation: 'register' | 'identity',
    fields: object,
  ): Promise<A> {
    const key = this.requireKey();
    const answer = (await this.perform(toCall(operation, { ...fields, publicKey: key.publicKey }))) as A;
    this.id = key.museId = answer.muse_id;
    return answer;
  }

  private requireKey(): MuseKey {
    if (!this.signingKey) throw new Error('This operation needs a client with a key.');
    return this.signingKey;
  }
}
