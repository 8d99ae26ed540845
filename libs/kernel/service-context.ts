import type { Context } from './decide.js';

interface ByItself extends Pick<Context, 'at' | 'requestKey' | 'cause' | 'decidedBy' | 'integers'> {
  /** What the service does, in words. */
  readonly reason: string;
}

/** What the service does by itself, with nobody's leave. */
export function serviceContext({ reason, ...own }: ByItself): Context {
  return { ...own, actor: 'service', authorization: { mode: 'service', reason }, basedOn: {} };
}
