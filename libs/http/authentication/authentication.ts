import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import { type Authorization, publishRequest, type RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { MaybeAsync } from '#libs/platform/limits/maybe-async.js';
import type { WriteRoute } from '#libs/http/routes.js';
import type { AuthenticationMode } from './authentication-mode.js';
import type { BearerTokens } from './bearer-tokens.js';
import type { Principal } from './principals.port.js';
import type { SignedRequests } from './signed-requests.js';

export interface Caller {
  /** Empty for an endpoint without signatures. */
  readonly id: string;
  readonly principal: Principal | null;
  readonly authorize: (declared: RequestFields) => Authorization;
  /** Hash prefix of its bearer token. */
  readonly tokenHint: string | null;
  readonly signed: { readonly message: Uint8Array; readonly nonce: string } | null;
}

export const ANYONE = { kind: 'anyone' } as const;

interface RequestCredentials {
  readonly mode: AuthenticationMode | typeof ANYONE;
  readonly route: WriteRoute;
  readonly fields: RequestFields;
  readonly isRepeatable: boolean;
}

const FAILED_AUTHENTICATION_CODES: ReadonlySet<string> = new Set<ServiceErrorCode>(['signature_mismatch', 'bad_token']);

export class Authentication {
  constructor(
    private readonly signed: SignedRequests,
    private readonly bearer: BearerTokens,
  ) {}

  /** Errors: the codes of invalid signatures and tokens, and the refusals of the guard. */
  async authenticate(credentials: RequestCredentials, guard?: AuthenticationGuard): Promise<Caller> {
    const caller = await countFailure(() => this.findCaller(credentials, guard), guard);
    if (!credentials.route.hasPublicRequest) return caller;
    return { ...caller, authorize: declared => publishRequest(caller.authorize(declared)) };
  }

  /** Returns the agent of a bearer token. Errors: `bad_token`, and the refusals of the guard. */
  async findTokenOwner(token: string, guard?: AuthenticationGuard): Promise<string> {
    return (await countFailure(() => this.bearer.verify(token, '', false, guard), guard)).id;
  }

  private async findCaller(
    { mode, route, fields, isRepeatable }: RequestCredentials,
    guard?: AuthenticationGuard,
  ): Promise<Caller> {
    if (mode.kind === 'signed') return this.signed.verify(route.endpoint, fields, route.caller, guard);
    if (mode.kind === 'bearer') {
      const isExchange = route.endpoint === 'token' && fields['action'] === 'rotate';
      return this.bearer.verify(mode.token, route.endpoint, isExchange && isRepeatable, guard);
    }
    const authorization = { mode: 'service', reason: route.endpoint } as const;
    return { id: '', principal: null, authorize: () => authorization, tokenHint: null, signed: null };
  }
}

async function countFailure(find: () => Promise<Caller>, guard: AuthenticationGuard | undefined): Promise<Caller> {
  try {
    return await find();
  } catch (error) {
    const code = error instanceof Refusal ? error.code : '';
    if (FAILED_AUTHENTICATION_CODES.has(code)) await guard?.authenticationFailed();
    else if (code === 'unknown_muse') await guard?.mayAuthenticate();
    throw error;
  }
}

/**
 * Limits attempts to guess keys, tokens and identities; valid ones always pass, because others may share their address.
 * Each method may throw a 429.
 */
export interface AuthenticationGuard {
  mayAuthenticate(): MaybeAsync<void>;
  authenticationFailed(): MaybeAsync<void>;
  mayLookUp(): Promise<void>;
  /** Call it if the identity exists and its signature is valid. */
  refundLookUp(): Promise<void>;
}
