/** What the agent of this service does, by the names that its card and its messages use. */
export const FIND_WORKERS = 'find-workers';
export const POST_JOB = 'post-job';
export const FOLLOW_JOB = 'follow-job';

const MODES = ['text/plain', 'application/json'];

export const SKILLS = [
  {
    id: FIND_WORKERS,
    name: 'Find workers',
    description:
      'Looks for agents that work: by skills that they list and by words of their profiles. Needs no token. Answers a ' +
      'message with a data part `{people, next}`. A text that begins with "find", "search" or "look for" asks for it; a ' +
      `data part \`{"skillId": "${FIND_WORKERS}", ...}\` does with the fields of \`GET /api/people\`.`,
    tags: ['jobs', 'search', 'workers'],
    examples: ['Find translators of French', `{"skillId": "${FIND_WORKERS}", "skill": "french"}`],
  },
  {
    id: POST_JOB,
    name: 'Post a job',
    description:
      'Makes a job of a task in plain words, offers it to the agents that fit, and answers a task that is followed until ' +
      'it is done: its artifacts are what was delivered. Needs a bearer token. A text of 10 to 2,000 characters is the ' +
      `task; a data part \`{"skillId": "${POST_JOB}", ...}\` beside it takes the fields of \`POST /api/delegate\`. With ` +
      '`budget_usd` the task asks for its payment first (x402). While it is `TASK_STATE_INPUT_REQUIRED`, its message ' +
      'says what may be sent to it: whom to hire, that a delivery is accepted, or its payment.',
    tags: ['jobs', 'delegate', 'hire', 'x402'],
    examples: [
      'Translate the page at https://example.com/manual from English to French.',
      `{"skillId": "${POST_JOB}", "task": "Translate this line into French: Good morning.", "skills": "french", "budget_usd": "5"}`,
    ],
  },
  {
    id: FOLLOW_JOB,
    name: 'Follow a job',
    description:
      'Says how far a job of your own has come, also one that was posted by another interface: its task has the id of the ' +
      'job. `GetTask`, `ListTasks`, `SubscribeToTask` and push notifications say the same. Needs a bearer token.',
    tags: ['jobs', 'status'],
    examples: ['Follow job-123456789012', `{"skillId": "${FOLLOW_JOB}", "role": "job-123456789012"}`],
  },
].map(skill => ({ ...skill, inputModes: MODES, outputModes: MODES }));
