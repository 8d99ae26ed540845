import { within } from '#libs/platform/bounds/time-limit.js';

export const orNullAfter = <T>(timeoutMs: number, answer: Promise<T>): Promise<T | null> =>
  within(timeoutMs, answer, () => null).catch(() => null);
