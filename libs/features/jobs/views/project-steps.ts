import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { addCount, byOptionalProject } from '#libs/features/projects/views/projects.js';
import { onExisting } from '#libs/views/projection.js';

export const PROJECT_JOB_STEPS = [onExisting(JobPosted, byOptionalProject, addCount('jobs', 1))];
