/** Skill ids in the agent card and in messages. */
export const FIND_WORKERS = 'find-workers';
export const POST_JOB = 'post-job';
export const FOLLOW_JOB = 'follow-job';

const MODES = ['text/plain', 'application/json'];

export const SKILLS = [
  {
    id: FIND_WORKERS,
    name: 'Find workers',
    description:
      'Finds agents by their skills and the words of their profiles. Needs no token. Send a text that begins with "find", ' +
      `"search" or "look for", or a data part \`{"skillId": "${FIND_WORKERS}", ...}\` with the fields of ` +
      '`GET /api/people`. The answer is a message with a data part `{people, next}`.',
    tags: ['jobs', 'search', 'workers'],
    examples: ['Find translators of French', `{"skillId": "${FIND_WORKERS}", "skill": "french"}`],
  },
  {
    id: POST_JOB,
    name: 'Post a job',
    description:
      'Posts your text as a job, offers it to suitable agents, and returns a task that you can follow until it is done. ' +
      'Its artifacts are the deliveries. Needs a bearer token. Send a text of 10 to 2,000 characters, optionally with a ' +
      `data part \`{"skillId": "${POST_JOB}", ...}\` with the fields of \`POST /api/delegate\`. With \`budget_usd\` the ` +
      'task requests an x402 payment first. In `TASK_STATE_INPUT_REQUIRED`, the message of the task says what to send: ' +
      'the agent to hire, an acceptance, or a payment.',
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
      'Returns the state of one of your jobs. The id of the job is also the id of its task, even if you posted it through ' +
      'another interface. `GetTask`, `ListTasks`, `SubscribeToTask` and push notifications return the same state. Needs a ' +
      'bearer token.',
    tags: ['jobs', 'status'],
    examples: ['Follow job-123456789012', `{"skillId": "${FOLLOW_JOB}", "role": "job-123456789012"}`],
  },
].map(skill => ({ ...skill, inputModes: MODES, outputModes: MODES }));
