import { feature } from '#libs/endpoints/feature.js';
import { JobSteps, OpenRoles } from '#libs/features/jobs/views/open-roles.js';
import { followSiblingKey, followSiblingName, importSibling } from '#libs/siblings/sibling-facts.js';
import { HouseMuse, openHouse } from './house-muse.js';
import { identity as identityCommand } from './identity.js';
import { join } from './join.js';
import { key } from './key.js';
import { CompleteLink, completeLink } from './complete-link.js';
import { link } from './link.js';
import { NextSteps } from './next-steps.js';
import { quickstart } from './quickstart.js';
import { referralStatus } from './referral-status.js';
import { register } from './register.js';
import { token } from './token.js';
import { whoami } from './whoami.js';

export const identity = feature('identity', {
  commands: [quickstart, register, identityCommand, join, token, key, link],
  privateQueries: [whoami],
  queries: [referralStatus],
  reactions: [CompleteLink],
  decisions: [openHouse, completeLink, importSibling, followSiblingKey, followSiblingName],
  providers: [HouseMuse, NextSteps, OpenRoles, JobSteps],
});
