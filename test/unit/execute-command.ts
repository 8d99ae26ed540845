import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { type CommandPlan, executeCommand } from '#libs/event-log/execute-command.js';
import { createStreamSource } from '#libs/event-log/journal.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { asEvents } from '../given.js';
import { InMemoryStores } from './in-memory-stores.js';
import { registered } from './features/worlds.js';

export const MUSE = 'agent_poster0000';
export const STREAM = Muse.streamName(MUSE);
export const bio = (text: string) => ProfileUpdated({ muse_id: MUSE, bio: text });
type MusePlan = CommandPlan<Muse, Record<never, never>>;
/** Executes a command on the muse, which writes one fact by default. */
export const execute = (made: InMemoryStores, context: CommandContext, plan: Partial<MusePlan> = {}) =>
  executeCommand(made.journal, context, {
    writes: createStreamSource(STREAM, Muse),
    decide: () => [bio('mine')],
    ...plan,
  });

export async function stores(): Promise<InMemoryStores> {
  const made = new InMemoryStores();
  await made.journal.append(STREAM, 'none', asEvents([registered], STREAM));
  return made;
}

/** Writes to the stream between the load and the append. */
export const meanwhile = (made: InMemoryStores) =>
  made.journal.append(STREAM, 'any', asEvents([bio('theirs')], STREAM).map(unique));
let others = 0;
const unique = <E extends { id: string }>(event: E) => ({ ...event, id: `other-${(others += 1)}` });
