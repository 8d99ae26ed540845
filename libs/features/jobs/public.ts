export * from './escrow-fields.js';
export * from './job-terms.js';
export { job } from './post-job.js';
export * from './posting.js';
