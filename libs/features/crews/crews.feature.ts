import { feature } from '#libs/endpoints/feature.js';
import { crewInvite } from './crew-invite.js';
import { crewJoin } from './crew-join.js';
import { crewLeave } from './crew-leave.js';
import { crewPage } from './crew-page.js';
import { crew } from './crew.js';

export const crews = feature('crews', { commands: [crew, crewInvite, crewJoin, crewLeave], queries: [crewPage] });
