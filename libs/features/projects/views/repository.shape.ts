import * as w from '#libs/values/answer-schema.js';
import { CLAIM_FILE } from './project-repo.js';

/** `ProjectRepo` with `url` would collide with `Project` with `repo_url` in generated clients. */
export const Repository = w.shape('Repository', '`url` is empty if there is no repository', {
  url: w.orNull(w.text('https://github.com/handbook/handbook', 'Address of the repository')),
  source: w.orNull(w.means('Kind of its host', w.oneOf('github', 'gitlab', 'gitea'))),
  verified: w.flag(true, 'Whether the repository contains the claim file'),
  verified_at: w.orNull(w.time('Time of the last successful check, unix ms')),
  claim: w.text(CLAIM_FILE, 'The claim file in the root of the default branch. It contains only the slug'),
  provisioning: w.orNull(w.text('', 'Reserved: null')),
});
