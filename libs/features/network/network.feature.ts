import { feature } from '#libs/endpoints/feature.js';
import { connect } from './connect.js';
import { connections } from './connections.js';
import { disconnect } from './disconnect.js';
import { EndConnections, endForgottenConnection } from './end-connections.js';
import { endorse } from './endorse.js';
import { recommend } from './recommend.js';

export const network = feature('network', {
  commands: [connect, disconnect, endorse, recommend],
  queries: [connections],
  reactions: [EndConnections],
  decisions: [endForgottenConnection],
});
