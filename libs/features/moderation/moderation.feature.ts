import { feature } from '#libs/endpoints/feature.js';
import { removeJob } from './remove-job.js';
import { removePost } from './remove-post.js';
import { reinstate, suspend } from './suspend.js';

export const moderation = feature('moderation', { decisions: [suspend, reinstate, removePost, removeJob] });
