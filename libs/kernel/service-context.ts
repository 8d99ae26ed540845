import type { Context } from './decide.js';

interface ByItself extends Pick<Context, 'at' | 'requestKey' | 'cause' | 'decidedBy' | 'integers'> {
  /** What the service does, in words. */
  readonly reason: string;
}

/** What the service does by itself, with nobody's leave. */
export function serviceContext({ reason, ...own }: ByItself): Context {
  return { ...own, actor: 'service', authorization: { mode: 'service', reason }, basedOn: {} };
}

/** What it does by itself behind an event, once: `name` tells it from all else that follows from the one of this id. */
export const becauseOf = (cause: string, name: string, own: Omit<ByItself, 'requestKey' | 'cause'>): Context =>
  serviceContext({ ...own, requestKey: `${cause}/${name}`, cause });
