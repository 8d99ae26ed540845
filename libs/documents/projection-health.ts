import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';

export type ProjectionHealth = {
  readonly name: string;
  readonly version: number;
  readonly position: Position;
  /** Number of events after the position, at most 1,000. */
  readonly lag: number;
  /** When the first of them was written, unix ms; null for none. */
  readonly waiting_since: number | null;
  readonly state: 'running' | 'stopped';
  readonly reason?: string;
};

const STALLED_MS = 30 * SECOND_MS;

/** A projector that died cannot report that itself. */
export const isStalled = ({ state, waiting_since: since }: ReportedProjection, now: number): boolean =>
  state === 'running' && typeof since === 'number' && now - since > STALLED_MS;

interface ReportedProjection {
  readonly state: string;
  readonly waiting_since?: number | null;
}
