import { feature } from '#libs/endpoints/feature.js';
import { clientArchive } from './client-archive.js';
import { clients } from './clients.js';
import { PackedClients } from './packed-clients.js';

export const clientsFeature = feature('clients', {
  queries: [clients, clientArchive],
  providers: [{ provide: PackedClients, useFactory: () => new PackedClients() }],
});
