import { Hire } from '#libs/streams/hire.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';
import { Desk } from '../desk.js';
import { HIRE } from './worlds.js';

/** A desk at which a hire's stream holds facts. */
export async function deskWithHire(...facts: Fact[]): Promise<Desk> {
  const desk = new Desk();
  await desk.journal.append(Hire.named(HIRE), 'none', asEvents(facts, Hire.named(HIRE)));
  return desk;
}
