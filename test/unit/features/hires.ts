import { Hire } from '#libs/features/hires/domain/hire.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { HIRE } from './worlds.js';

export async function storesWithHire(...facts: Fact[]): Promise<InMemoryStores> {
  const stores = new InMemoryStores();
  await stores.journal.append(Hire.streamName(HIRE), 'none', asEvents(facts, Hire.streamName(HIRE)));
  return stores;
}
