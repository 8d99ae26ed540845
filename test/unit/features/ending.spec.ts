import { expect, test } from '@jest/globals';
import { ReadModels } from '#libs/documents/read-models.js';
import { EndDisputes } from '#libs/features/deliveries/end-disputes.js';
import { EndUndelivered } from '#libs/features/hires/end-undelivered.js';
import { EndForgotten } from '#libs/features/jobs/end-forgotten.js';
import { EndConnections } from '#libs/features/network/end-connections.js';
import { ArchiveForgotten } from '#libs/features/projects/archive-forgotten.js';
import type { Event } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { told } from './worlds.js';

const STOPPED = '1';
const forgotten = { ...told('Forgotten'), id: 'forgotten', position: '2' } as unknown as Event;

/** Documents that contain the log, except projections that are asked for by name: those have stopped. */
const stopped = Object.assign(new ReadModels({} as never, {} as never, []), {
  waitForPosition: () => Promise.resolve(true),
  position: () => Promise.resolve(STOPPED),
});

test.each([EndForgotten, EndUndelivered, EndDisputes, EndConnections, ArchiveForgotten])(
  '%o fails as unavailable while the projection that it reads is stopped',
  async Ending => {
    const ending = new Ending(new InMemoryStores().commands, stopped);
    await expect(ending.react(forgotten)).rejects.toThrow(Unavailable);
  },
);
