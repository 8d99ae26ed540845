import { feature } from '#libs/endpoints/feature.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { Routes } from '#libs/http/routes.js';
import { lookUpInReadModels, PublicEvents } from './views/public-events.js';

const provider = {
  provide: PublicEvents,
  inject: [Codec, ReadModels, EventLog, Routes],
  useFactory: (codec: Codec, models: ReadModels, log: EventLog, routes: Routes) =>
    new PublicEvents(codec, lookUpInReadModels(models, log, codec), endpoint => routes.fields.get(endpoint)),
};

export const publicEvents = feature('public-events', { providers: [provider] });
