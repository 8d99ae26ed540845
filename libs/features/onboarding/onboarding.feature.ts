import { feature } from '#libs/endpoints/feature.js';
import { JobSteps, OpenRoles } from '#libs/features/jobs/views/open-roles.js';
import { NextSteps } from './next-steps.js';
import { quickstart } from './quickstart.js';
import { whoami } from './whoami.js';

export const onboarding = feature('onboarding', {
  commands: [quickstart],
  privateQueries: [whoami],
  providers: [NextSteps, OpenRoles, JobSteps],
});
