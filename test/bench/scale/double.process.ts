import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';

/** Double of EventStoreDB in its own process: sends its URL, then its call counts on request. */
const double = await EventStoreDouble.start();
process.on('message', () => process.send!({ ...double.faults.calls }));
process.on('disconnect', () => process.exit(0));
process.send!({ url: double.url });
