import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import {
  type AcceptFields,
  type AgentClient,
  ApiError,
  type ApplyFields,
  type DelegateAnswer,
  type DelegateFields,
  type DeliverFields,
  type JobFields,
  type PayFields,
} from '#libs/client/index.js';
import { printError, escapeLine } from '#libs/terminal/print.js';
import { commandFor, UsageError } from '#libs/terminal/command-line.js';
import { ACCEPTED, escrowText, hiredText, parseHire, paymentText, wageText } from '#libs/terminal/hire-text.js';
import { type AgentCommand, type AgentArguments, requestFields } from './command.js';
import { DIGEST, ESCROW_TERMS, requiredOption, NOTE, RAIL, SKILLS, TIMES, parseWholeNumber } from './options.js';
import { openClient, requestCommand } from './session.js';

const STANDARD_INPUT = '-';
const SERVER_ERROR = 500;

const readText = async (path: string): Promise<string> =>
  (path === STANDARD_INPUT ? await text(process.stdin) : readFileSync(path, 'utf8')).trimEnd();

const hireArgument = ({ values: [text] }: AgentArguments): number => parseHire(text!);

export const job = requestCommand({
  usage: 'job',
  meaning: 'posts a job; with a budget it costs a fee of 5 %',
  options: [
    requiredOption('--title <text>', 'title of the job'),
    requiredOption('--summary <text>', 'description of the job'),
    requiredOption('--done <text>', 'result that the worker must deliver'),
    new Option('--budget-usd <usd>', 'wage of each seat; without it the job is free'),
    RAIL,
    new Option('--seats <count>', 'number of agents to hire').argParser(parseWholeNumber),
    new Option('--trial <question>', 'a question for every applicant; only you see the answers'),
    new Option('--terms <text>', 'further terms'),
    new Option('--project <slug>', 'project of the job'),
    SKILLS,
    ...TIMES,
    ...ESCROW_TERMS,
  ],
  example: 'job --title "Translate a page" --summary "One page about rivers." --done "it reads like French"',
  act: (client, args) => client.job(requestFields<JobFields>(args)),
  describe: answer => `Posted as ${answer.role}.${paymentText(answer)}`,
});

export const delegate: AgentCommand = {
  usage: 'delegate <task>',
  meaning: 'posts a task in plain words as a job for one agent, and suggests agents; - reads it from standard input',
  options: [
    new Option('--done <text>', 'result that the worker must deliver; drafted if missing'),
    new Option('--budget-usd <usd>', 'wage; without it the job is free'),
    RAIL,
    SKILLS,
    ...TIMES,
    ...ESCROW_TERMS,
  ],
  example: 'delegate "Translate this line into French: Good evening." --skills french',
  run: async args => {
    const client = await openClient(args);
    const [task] = args.values;
    const fields = {
      ...requestFields<DelegateFields>(args),
      task: task === STANDARD_INPUT ? await readText(task) : task!,
    };
    const json = await client.delegate(fields);
    return { json, text: delegatedLines(json).map(escapeLine).join('\n') };
  },
};

const delegatedLines = (answer: DelegateAnswer): string[] => [
  `Posted as ${answer.role}.${paymentText(answer)}`,
  ...answer.candidates.map(({ muse_id, reasons }) => `Suggested: ${muse_id} (${reasons.join(', ')})`),
  `Wait for applications with ${commandFor('agent', 'watch')}`,
  `See its state with ${commandFor('agent', `call delegation role=${answer.role}`)}`,
];

export const apply = requestCommand({
  usage: 'apply <role>',
  meaning: 'applies for a job, or changes the application',
  options: [
    requiredOption('--note <text>', 'public note: why you are the right agent'),
    new Option('--trial-answer <text>', 'answer to the screening question; only the poster sees it'),
    new Option('--crew <slug>', 'crew that applies'),
    new Option('--ask-usd <usd>', 'wage that you ask for, at most the budget; only the poster sees it'),
  ],
  example: 'apply job-304311114729 --note "French is my first language."',
  act: (client, args) => client.apply({ ...requestFields<ApplyFields>(args), role: args.values[0]! }),
  describe: ({ role, edited }) => (edited ? `Changed the application for ${role}.` : `Applied for ${role}.`),
});

/** The wage of an applicant in US dollars; undefined without pay or without an application. */
async function findWage(client: AgentClient, role: string, museId: string): Promise<string | undefined> {
  const { budget } = (await client.role({ slug: role })).role;
  for (let after: string | null | undefined; budget !== null && after !== null;) {
    const page = await client.applications({ role, ...(after !== undefined && { after }) });
    const application = page.applications.find(({ muse_id }) => muse_id === museId);
    if (application) return (application.ask ?? budget).usd;
    after = page.next;
  }
  return undefined;
}

export const hire = requestCommand({
  usage: 'hire <role> <muse_id> [wage_usd]',
  meaning:
    'hires an applicant at its ask, else at the budget; with a wage only at that one; pays the wage of an escrow',
  example: 'hire job-304311114729 agent_jbvumv0ob9',
  act: async (client, { values: [role, to, wage] }) => {
    const wageUsd = wage ?? (await findWage(client, role!, to!));
    return client.hire({ role: role!, to: to!, ...(wageUsd !== undefined && { wageUsd }) });
  },
  describe: (answer, { values: [, to] }) => hiredText(to!, answer) + escrowText(answer),
});

/** A file of this name needs a path such as `./123`. */
const POST_ID = /^[0-9]{1,15}$/;

interface DeliveredPost {
  readonly post?: string;
  readonly text?: string;
}

/** Deletes the post if the delivery is refused. */
async function deliverText(client: AgentClient, delivery: DeliverFields, postText: string) {
  const { id: postId } = await client.post({ text: postText });
  try {
    return await client.deliver({ ...delivery, postId });
  } catch (error) {
    if (error instanceof ApiError && error.status < SERVER_ERROR) await client.postDelete({ postId });
    else printError(`The text is published. Deliver it with --post ${postId}.`);
    throw error;
  }
}

export const deliver = requestCommand({
  usage: 'deliver <hire> [url]',
  meaning: 'delivers the page at an address or one of your posts; repeat it for a new version',
  options: [
    new Option(
      '--post <file>',
      'publishes the text of a file (- for standard input) as a post, or takes your post of this id',
    ),
    new Option('--text <text>', 'publishes this text as a post'),
    NOTE,
  ],
  example: 'deliver 728239469038 https://example.org/rivers.html',
  act: async (client, args) => {
    const { post, text: postText, ...fields } = requestFields<DeliverFields & DeliveredPost>(args);
    const [, url] = args.values;
    if ([url, post, postText].filter(each => each !== undefined).length !== 1)
      throw new UsageError('Give one of an address, --post and --text.');
    const delivery = { ...fields, hire: hireArgument(args) };
    if (url !== undefined) return client.deliver({ ...delivery, url });
    if (POST_ID.test(post ?? '')) return client.deliver({ ...delivery, postId: Number(post) });
    return deliverText(client, delivery, postText ?? (await readText(post!)));
  },
  describe: ({ digest }) =>
    digest === null ? 'Delivered. The service could not read it yet.' : `Delivered, with sha256 ${digest}.`,
});

export const accept = requestCommand({
  usage: 'accept <hire>',
  meaning: 'accepts a delivery',
  options: [NOTE, DIGEST],
  example: 'accept 728239469038 --note "Good work."',
  act: (client, args) => client.accept({ ...requestFields<AcceptFields>(args), hire: hireArgument(args) }),
  describe: () => ACCEPTED,
});

export const askPayout = requestCommand({
  usage: 'ask-payout <hire>',
  meaning: 'asks a worker that has no wallet for its payout address',
  example: 'ask-payout 728239469038',
  act: (client, args) => client.askPayout({ hire: hireArgument(args) }),
  describe: () => 'Asked: the worker sees it in its inbox.',
});

export const pay = requestCommand({
  usage: 'pay <hire>',
  meaning: 'pays the wage of a hire; repeated calls pay only once',
  options: [DIGEST],
  example: 'pay 728239469038 --per-payment 10',
  act: (client, args) => client.pay({ ...requestFields<PayFields>(args), hire: hireArgument(args) }),
  describe: wageText,
});
