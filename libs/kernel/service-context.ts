import { type CommandContext, withIds } from './decide.js';
import type { Integers } from './ids.js';

interface ServiceAction extends Pick<CommandContext, 'at' | 'requestKey' | 'cause' | 'decidedBy'> {
  readonly integers: Integers;
  readonly reason: string;
}

export function serviceContext({ reason, integers, ...envelope }: ServiceAction): CommandContext {
  return withIds({ ...envelope, actor: 'service', authorization: { mode: 'service', reason }, basedOn: {} }, integers);
}

export const becauseOf = (
  cause: string,
  name: string,
  action: Omit<ServiceAction, 'requestKey' | 'cause'>,
): CommandContext => serviceContext({ ...action, requestKey: `${cause}/${name}`, cause });
