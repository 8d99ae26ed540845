import { Claims } from '#libs/claims/claims.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { claimName } from '#libs/claims/name-claims.js';
import { Muse, Registered } from '#libs/domain/muse.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { Codec } from '#libs/event-log/codec.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { MemoryLog } from '../doubles/memory-log.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { TestClock } from '../doubles/test-clock.js';
import { asEvents, commandContext, integers, NOW } from '../given.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { told } from './features/worlds.js';

export class InMemoryStores {
  readonly clock = new TestClock(NOW);
  readonly log = new MemoryLog();
  readonly keys = new MuseKeys(new MemoryVault());
  readonly codec = new Codec(this.keys, EVENT_TYPES);
  readonly journal = new Journal(this.log, this.codec);
  readonly commands = new ServiceCommands(this.journal, this.clock, integers);
  readonly streams = new ClaimStreams(Buffer.alloc(32, 2));
  readonly claims = new Claims(this.journal, this.streams, this.clock);
  private requests = 0;

  request(actor: string, changed: Partial<CommandContext> = {}): CommandContext {
    const requestKey = `request/${(this.requests += 1)}`;
    return commandContext(actor, { requestKey, at: this.clock.now(), ...changed });
  }

  /** Begins a stream with these facts. */
  append(stream: string, ...facts: Fact[]): Promise<readonly Event[]> {
    return this.journal.append(stream, 'none', asEvents(facts, stream));
  }

  static async with(stream: string, ...facts: Fact[]): Promise<InMemoryStores> {
    const stores = new InMemoryStores();
    await stores.append(stream, ...facts);
    return stores;
  }

  types(stream: string): string[] {
    return this.log.of(stream).map(({ type }) => type);
  }
}

export const registeredAs = (muse_id: string, name: string) => told('Registered', { muse_id, name, public_key: null });

/** Claims a name and registers under it, as the commands do. */
export function register(
  stores: InMemoryStores,
  museId: string,
  name: string,
  pause: () => Promise<unknown> = async () => undefined,
) {
  const context = stores.request(museId);
  return executeCommand(stores.journal, context, {
    writes: Muse.source(museId),
    decide: () => [registeredAs(museId, name)],
    claim: async () => {
      await claimName(stores.claims, name, museId, Registered.type, context);
      await pause();
    },
  });
}

export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await promise.then(
    answer => new Error(`Answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (error instanceof Refusal) return error;
  throw error;
}
