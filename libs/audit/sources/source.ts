import type { Findings } from '../findings.js';
import type { SignedCheckpoint } from '../checkpoint.js';
import type { PublicEvent } from '../public-event.js';

/** What the first line of an export says. */
export interface Manifest {
  readonly format: string;
  readonly version: number;
  /** Whose log it is: the service's address without its scheme. */
  readonly origin: string;
  /** How many events follow. */
  readonly size: number;
  /** The position of the last one; null for none. */
  readonly head: string | null;
  /** The root of their tree, lower-case hex. */
  readonly root: string;
  /** The newest checkpoint that the service had signed when its events were asked for, where a service was asked. */
  readonly checkpoint?: string;
}

/** Where events come from: a service, an export, a log. All of them show an event in the same way. */
export interface EventSource {
  /** Whose log it is: the service's address without its scheme. */
  readonly origin: string;
  readonly manifest?: Manifest;
  /** Whether the source digests the stored events itself; otherwise a digest is only what is said. */
  readonly digests?: 'own';
  /** Whether it shows what nobody but the service has: private values and events of private types. */
  readonly isWhole?: boolean;
  /**
   * Every event, in the log's order. What is wrong with the source and can be passed over goes into `findings`; throws
   * a sentence where it cannot be read at all.
   */
  events(findings: Findings): AsyncIterable<PublicEvent>;
  /**
   * What the service has signed of its log, where the source has that; to be asked for before the events. Throws a sentence
   * where there should be one.
   */
  checkpoint?(): Promise<SignedCheckpoint>;
  close?(): Promise<void>;
}

/** An address without its scheme, as checkpoints name a log. */
export const originOf = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/+$/, '');
