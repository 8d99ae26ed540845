import type { JsonObject } from '#libs/kernel/json.js';
import { isClearedValue } from '#libs/domain/profile.js';
import { type ExternalInput, readsNoFurtherStream } from '#libs/endpoints/command.js';

/**
 * Names of profile fields that the request clears although they look empty. An auditor who cannot see erased values
 * takes the names from the event; the service sees the real values.
 */
export const clearedFields: ExternalInput<unknown, readonly string[], unknown> = {
  find: () => [],
  fromEvent: (_fields, { event }) => {
    const data = event.data as JsonObject;
    return Object.keys(data).filter(name => isClearedValue(data[name]));
  },
  mustRead: readsNoFurtherStream,
};
