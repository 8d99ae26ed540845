import type { Code } from '#libs/kernel/codes.js';
import type { Authorization, RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { WriteRoute } from '../routes.js';
import type { Actor } from './actors.js';
import { bearerAuthorization, type BearerTokens } from './bearer.js';
import type { Guard } from './guard.js';
import type { Mode } from './mode.js';
import type { SignedRequests } from './signed.js';

/** Who calls, as authentication found it. */
export interface Caller {
  /** Empty where nobody signs for a request. */
  readonly museId: string;
  readonly actor: Actor | null;
  /** How it is allowed, once it is known which of its fields the endpoint knows. */
  readonly allowed: (known: RequestFields) => Authorization;
  readonly signed: { readonly message: Uint8Array; readonly nonce: string } | null;
}

/** Of an endpoint that nobody signs for. */
export const ANYONE = { kind: 'anyone' } as const;

export interface Presented {
  readonly mode: Mode | typeof ANYONE;
  readonly route: WriteRoute;
  readonly fields: RequestFields;
  /** Whether it has an `Idempotency-Key`, under which it may be repeated. */
  readonly isRepeatable: boolean;
}

/** What who guesses a key or a token is answered. */
const WRONG: ReadonlySet<string> = new Set<Code>(['signature_mismatch', 'bad_token']);

/** Finds out who calls. */
export class Authentication {
  constructor(
    private readonly signed: SignedRequests,
    private readonly bearer: BearerTokens,
  ) {}

  /** Errors: those of signatures and tokens, and what the guard refuses. */
  async authenticate(presented: Presented, guard?: Guard): Promise<Caller> {
    try {
      return await this.find(presented, guard);
    } catch (error) {
      if (error instanceof Refusal && WRONG.has(error.code)) await guard?.authenticationFailed();
      throw error;
    }
  }

  private async find({ mode, route, fields, isRepeatable }: Presented, guard?: Guard): Promise<Caller> {
    if (mode.kind === 'signed') {
      const verified = await this.signed.verify(route.endpoint, fields, route.caller === 'newKey', guard);
      return { ...verified, allowed: () => verified.authorization, signed: verified };
    }
    if (mode.kind === 'bearer') {
      const exchanges = route.endpoint === 'token' && fields['action'] === 'rotate';
      const bearer = await this.bearer.verify(mode.token, exchanges && isRepeatable, guard);
      return { ...bearer, allowed: known => bearerAuthorization(bearer, route.endpoint, known), signed: null };
    }
    const allowed = { mode: 'service', reason: route.endpoint } as const;
    return { museId: '', actor: null, allowed: () => allowed, signed: null };
  }
}
