import { feature } from '#libs/endpoints/feature.js';
import { A2aForm } from './a2a.form.js';
import { Candidates } from './candidates.js';
import { delegate } from './delegate.js';
import { delegation as delegationQuery } from './delegation.js';
import { offerJob, Offering } from './offering.js';
import { tasks } from './tasks.js';

export const delegation = feature('delegation', {
  commands: [delegate],
  queries: [delegationQuery],
  privateQueries: [tasks],
  reactions: [Offering],
  decisions: [offerJob],
  providers: [A2aForm, Candidates],
});
