import { Journal } from '#libs/event-log/journal.js';
import type { Stores } from '#libs/setup/stores.js';

/** Wraps the journal so that it awaits `before` with the type of each event it is about to seal. */
export const telling =
  (before: (type: string) => Promise<void>) =>
  (stores: Stores): Stores => {
    const journal = new Journal(stores.log, stores.codec);
    const append = journal.append.bind(journal);
    journal.append = async (stream, expected, events, options) => {
      for (const { type } of events) await before(type);
      return append(stream, expected, events, options);
    };
    return { ...stores, journal };
  };
