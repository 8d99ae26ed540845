import { feature } from '#libs/endpoints/feature.js';
import { applications } from './applications.js';
import { apply } from './apply.js';
import { close } from './close.js';
import { EndForgotten, endingDecisions } from './end-forgotten.js';
import { houseRoleDecisions, HouseRoles } from './house-roles.js';
import { JobExpiry, expireJob } from './job-expiry.js';
import { job } from './post-job.js';
import { withdraw } from './withdraw.js';

export const jobs = feature('jobs', {
  commands: [job, apply, withdraw, close],
  privateQueries: [applications],
  reactions: [EndForgotten],
  decisions: [expireJob, ...endingDecisions, ...houseRoleDecisions],
  providers: [JobExpiry, HouseRoles],
});
