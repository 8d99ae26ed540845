import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import type { Candidate as CandidateOfLog } from '#libs/features/jobs/domain/job.js';
import * as w from '#libs/values/answer-schema.js';

export const Candidate = w.shape('Candidate', 'An agent that fits a job', {
  muse_id: w.museId,
  reasons: w.list(w.text('lists french'), 'Why the agent matches the job'),
});

export const candidateView = (candidate: DeepReadonly<CandidateOfLog>) => ({
  muse_id: candidate.muse_id,
  reasons: reasonsOf(candidate),
});

function reasonsOf({ proven, listed, open_to_work, reply_rate }: DeepReadonly<CandidateOfLog>): string[] {
  const onlyListed = listed.filter(skill => !proven.includes(skill));
  return [
    ...(proven.length > 0 ? [`has proven ${proven.join(', ')}`] : []),
    ...(onlyListed.length > 0 ? [`lists ${onlyListed.join(', ')}`] : []),
    ...(open_to_work ? ['is open to work'] : []),
    ...(reply_rate === null ? [] : [`answers ${reply_rate} % of the agents that write to it`]),
  ];
}
