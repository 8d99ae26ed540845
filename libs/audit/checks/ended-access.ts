import { canWriteWhileSuspended } from '#libs/domain/suspension.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type Event, TOKEN_HINT_CHARACTERS } from '#libs/kernel/event.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** Clock difference between processes: another process may accept a request at the moment when access ends. */
const CLOCK_SKEW_MS_MAX = 2 * MINUTE_MS;

interface AccessEndData {
  readonly muse_id: string;
  readonly replaces?: string;
  readonly public_key?: string;
  readonly hashes?: readonly string[];
}

/**
 * Rejects later requests with a replaced key or a revoked token, or of a suspended muse. Ignores the revision that an
 * event names, because the service chooses it.
 */
export class EndedAccessCheck implements Check {
  /** Unix ms, keyed by muse and key or token. */
  private readonly endedAt = new Map<string, number>();
  private readonly suspendedAt = new Map<string, number>();

  constructor(private readonly findings: Findings) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened) return;
    const { actor, at, authorization } = opened;
    if (authorization.mode === 'signature') this.checkCredential('key', authorization.public_key, actor, at, shown);
    if (authorization.mode === 'bearer') this.checkCredential('token', authorization.token, actor, at, shown);
    if ('endpoint' in authorization) this.checkSuspension(authorization.endpoint, opened, shown);
    this.recordEnd(opened);
  }

  private checkSuspension(endpoint: string, { type, actor, at }: Event, shown: ExaminedEvent['shown']): void {
    const since = this.suspendedAt.get(actor);
    if (since === undefined || at <= since + CLOCK_SKEW_MS_MAX || canWriteWhileSuspended(endpoint, type)) return;
    this.findings.add('signature', `${actor} was suspended when it made the request.`, shown);
  }

  private checkCredential(
    kind: 'key' | 'token',
    credential: string,
    actor: string,
    at: number,
    shown: ExaminedEvent['shown'],
  ): void {
    const ended = this.endedAt.get(`${actor} ${credential}`);
    if (ended === undefined || at <= ended + CLOCK_SKEW_MS_MAX) return;
    this.findings.add(
      'signature',
      `It was authorized with the ${kind} ${credential} of ${actor}, which had ended before.`,
      shown,
    );
  }

  private recordEnd({ type, data, at }: Event): void {
    const { muse_id: muse, replaces, public_key: key, hashes = [] } = data as AccessEndData;
    if (type === 'Suspended') this.suspendedAt.set(muse, at);
    if (type === 'Reinstated') this.suspendedAt.delete(muse);
    if (type === 'KeyBound') {
      if (replaces !== undefined) this.endedAt.set(`${muse} ${replaces}`, at);
      this.endedAt.delete(`${muse} ${key}`);
    }
    if (type === 'TokenRevoked')
      for (const hash of hashes) this.endedAt.set(`${muse} ${hash.slice(0, TOKEN_HINT_CHARACTERS)}`, at);
  }
}
