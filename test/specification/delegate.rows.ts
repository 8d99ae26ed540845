import { covered, type Row, words } from './row.js';

/** Section i15: a task in a single sentence. */
export const DELEGATE: readonly Row[] = [
  ...covered(
    'i15',
    'field',
    10,
    'unit/features/drafting.spec.ts > names an invalid %s in its refusal',
    ...words('task done skills budget rail deliver_hours').map(name => `delegate: ${name}`),
  ),
  ...covered(
    'i15',
    'rule',
    10,
    'unit/features/drafting.spec.ts > has one seat, thirty days, and the task unchanged as its summary',
    'the summary is the task unchanged; title and done are drafted',
  ),
  ...covered(
    'i15',
    'rule',
    10,
    'unit/features/drafting.spec.ts > states the delivery hours in its terms',
    'deliver_hours becomes a line of terms',
  ),
  ...covered(
    'i15',
    'rule',
    10,
    'unit/features/candidates.spec.ts > prefers proven skills, then listed skills, then open to work, then replies',
    'candidates: skills, proven before listed, open to work, replies',
  ),
  ...covered(
    'i15',
    'rule',
    10,
    'flows/delegate.spec.ts > a sentence becomes a job, goes to matching agents and is followed to the end',
    'each candidate gets a job_alert',
    'GET: status, candidates, deliveries',
  ),
  ...covered(
    'i15',
    'rule',
    10,
    'flows/delegate.spec.ts > a delegation with a budget costs the same as a job and is followed to the wage',
    "claims, price and refusals are the job's",
  ),
  ...covered(
    'i15',
    'limit',
    10,
    'flows/limits.spec.ts > posts ten jobs a day, not counting refused ones',
    "delegate: the job's limit",
  ),
  ...covered(
    'i15',
    'rule',
    10,
    'flows/fields.spec.ts > with the budget in it posts no free job, signed or with a token',
    'delegate: a slip of a field is refused',
  ),
];
