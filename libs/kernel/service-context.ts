import { type CommandContext, withIds } from './decide.js';
import type { Integers } from './ids.js';

interface ByItself extends Pick<CommandContext, 'at' | 'requestKey' | 'cause' | 'decidedBy'> {
  readonly integers: Integers;
  /** What the service does, in words. */
  readonly reason: string;
}

/** What the service does by itself, with nobody's leave. */
export function serviceContext({ reason, integers, ...own }: ByItself): CommandContext {
  return withIds({ ...own, actor: 'service', authorization: { mode: 'service', reason }, basedOn: {} }, integers);
}

/** What it does by itself behind an event, once: `name` tells it from all else that follows from the one of this id. */
export const becauseOf = (cause: string, name: string, own: Omit<ByItself, 'requestKey' | 'cause'>): CommandContext =>
  serviceContext({ ...own, requestKey: `${cause}/${name}`, cause });
