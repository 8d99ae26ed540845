import type { JsonObject } from '#libs/kernel/json.js';
import { isClearedValue } from '#libs/domain/profile.js';
import type { ExternalInput } from './command.js';

/**
 * The fields of a profile that are cleared although nothing is seen to stand there. Who is not shown what was cleared
 * takes it from the event that it did stand there; the service itself sees what stands.
 */
export const clearedFields: ExternalInput<unknown, readonly string[], unknown> = {
  find: () => [],
  said: (_fields, { event }) => {
    const data = event.data as JsonObject;
    return Object.keys(data).filter(name => isClearedValue(data[name]));
  },
};
