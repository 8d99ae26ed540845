import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';

/** The double of EventStoreDB in a process of its own: says where it is, then how often it was asked whenever it is told to. */
const double = await EventStoreDouble.start();
process.on('message', () => process.send!({ ...double.faults.calls }));
process.on('disconnect', () => process.exit(0));
process.send!({ url: double.url });
