import { feature } from '#libs/verbs/feature.js';
import { OpenRoles } from '#libs/views/open-roles.js';
import { HouseMuse, openHouse } from './house-muse.js';
import { identity as identityVerb } from './identity.js';
import { join } from './join.js';
import { NextSteps } from './next-steps.js';
import { quickstart } from './quickstart.js';
import { referralStatus } from './referral-status.js';
import { register } from './register.js';
import { whoami } from './whoami.js';

export const identity = feature('identity', {
  verbs: [quickstart, register, identityVerb, join],
  asks: [whoami],
  reads: [referralStatus],
  decisions: [openHouse],
  providers: [HouseMuse, NextSteps, OpenRoles],
});
