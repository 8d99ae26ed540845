import type { Findings } from '#libs/audit/findings.js';
import type { SignedCheckpoint } from '#libs/audit/checkpoint.js';
import type { PublicEvent } from '#libs/audit/public-event.js';

export interface Manifest {
  readonly format: string;
  readonly version: number;
  /** Address of the service without its scheme. */
  readonly origin: string;
  readonly size: number;
  readonly head: string | null;
  /** Merkle root, lower-case hex. */
  readonly root: string;
  /** Checkpoint fetched before the events, if the source was a service. */
  readonly checkpoint?: string;
}

export interface EventSource {
  readonly origin: string;
  readonly manifest?: Manifest;
  /** `own`: the source computed the digests from the stored events. */
  readonly digests?: 'own';
  readonly includesPrivate?: boolean;
  /** In log order. Adds problems that can be skipped to `findings`; throws if the source cannot be read. */
  events(findings: Findings): AsyncIterable<PublicEvent>;
  /** Call it before `events`. Throws if the source has an invalid checkpoint. */
  checkpoint?(): Promise<SignedCheckpoint>;
  close?(): Promise<void>;
}

export const originOf = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/+$/, '');
