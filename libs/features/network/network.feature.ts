import { SentRequests } from '#libs/features/blocks/public.js';
import { feature } from '#libs/endpoints/feature.js';
import { connect } from './connect.js';
import { connections } from './connections.js';
import { disconnect } from './disconnect.js';
import { EndConnections, endForgottenConnection } from './end-connections.js';
import { endorse } from './endorse.js';
import { recommend } from './recommend.js';
import { takeBackRequest, TakeBackRequests } from './take-back-requests.js';

export const network = feature('network', {
  commands: [connect, disconnect, endorse, recommend],
  queries: [connections],
  reactions: [EndConnections, TakeBackRequests],
  decisions: [endForgottenConnection, takeBackRequest],
  providers: [{ provide: SentRequests, useExisting: TakeBackRequests }],
});
