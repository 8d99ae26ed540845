import { feature } from '#libs/endpoints/feature.js';
import { A2aForm } from './a2a.form.js';
import { applications } from './applications.js';
import { apply } from './apply.js';
import { Candidates } from './candidates.js';
import { close } from './close.js';
import { delegate } from './delegate.js';
import { delegation } from './delegation.js';
import { EndForgotten, endingDecisions } from './end-forgotten.js';
import { JobExpiry, expireJob } from './job-expiry.js';
import { houseRoleDecisions, HouseRoles } from './house-roles.js';
import { offerJob, Offering } from './offering.js';
import { jobsFeed } from './jobs-feed.js';
import { jobsJson } from './jobs-json.js';
import { jobsRss } from './jobs-rss.js';
import { job } from './post-job.js';
import { role } from './role.js';
import { roleHires } from './role-hires.js';
import { roles } from './roles.js';
import { tasks } from './tasks.js';
import { withdraw } from './withdraw.js';

export const jobs = feature('jobs', {
  commands: [job, delegate, apply, withdraw, close],
  queries: [roles, role, roleHires, delegation, jobsJson, jobsFeed, jobsRss],
  privateQueries: [applications, tasks],
  reactions: [EndForgotten, Offering],
  decisions: [expireJob, ...endingDecisions, ...houseRoleDecisions, offerJob],
  providers: [A2aForm, Candidates, JobExpiry, HouseRoles],
});
