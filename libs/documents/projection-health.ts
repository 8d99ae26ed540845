import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';

/** What health says of one projection. */
export type ProjectionHealth = {
  readonly name: string;
  readonly version: number;
  readonly position: Position;
  /** How many events of the log it does not contain yet, at most 1,000. */
  readonly lag: number;
  /** When the first of them was written, unix ms; null for none. */
  readonly waiting_since: number | null;
  readonly state: 'running' | 'stopped';
  readonly reason?: string;
};

/** How long an event stands in the log before nobody seems to fold it. */
const STALLED_MS = 30 * SECOND_MS;

/** Whether nobody folds what was written: a projector that died tells nobody. */
export const isStalled = ({ state, waiting_since: since }: ReportedProjection, now: number): boolean =>
  state === 'running' && typeof since === 'number' && now - since > STALLED_MS;

/** Another version of the service may say less. */
interface ReportedProjection {
  readonly state: string;
  readonly waiting_since?: number | null;
}
