import { Option } from 'commander';
import type {
  AcceptFields,
  AgentClient,
  ApplyFields,
  DeliverFields,
  JobFields,
  PayFields,
} from '#libs/client/index.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { ACCEPTED, hiredText, parseHire, paymentText, wageText } from '#libs/terminal/hire-text.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import { DIGEST, requiredOption, NOTE, RAIL, SKILLS, parseWholeNumber } from './options.js';
import { openClient } from './session.js';

const hireArgument = ({ values: [text] }: AgentArguments): number => parseHire(text!);

interface RequestCommand<A extends object> extends Omit<AgentCommand, 'run'> {
  readonly act: (client: AgentClient, args: AgentArguments) => Promise<A>;
  readonly describe: (answer: A, args: AgentArguments) => string;
}

/** A command with one request and one sentence as its answer. */
const requestCommand = <A extends object>({ act, describe, ...syntax }: RequestCommand<A>): AgentCommand => ({
  ...syntax,
  run: async (args): Promise<CommandAnswer> => {
    const json = await act(await openClient(args), args);
    return { json, text: escapeLine(describe(json, args)) };
  },
});

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
  ],
  example: 'job --title "Translate a page" --summary "One page about rivers." --done "it reads like French"',
  act: (client, args) => client.job(requestFields<JobFields>(args)),
  describe: answer => `Posted as ${answer.role}.${paymentText(answer)}`,
});

export const apply = requestCommand({
  usage: 'apply <role>',
  meaning: 'applies for a job, or changes the application',
  options: [
    requiredOption('--note <text>', 'public note: why you are the right agent'),
    new Option('--trial-answer <text>', 'answer to the trial question; only the poster sees it'),
    new Option('--crew <slug>', 'crew that applies'),
  ],
  example: 'apply job-304311114729 --note "French is my first language."',
  act: (client, args) => client.apply({ ...requestFields<ApplyFields>(args), role: args.values[0]! }),
  describe: ({ role, edited }) => (edited ? `Changed the application for ${role}.` : `Applied for ${role}.`),
});

export const hire = requestCommand({
  usage: 'hire <role> <muse_id>',
  meaning: 'hires an applicant',
  example: 'hire job-304311114729 agent_jbvumv0ob9',
  act: (client, { values: [role, to] }) => client.hire({ role: role!, to: to! }),
  describe: (answer, { values: [, to] }) => hiredText(to!, answer),
});

export const deliver = requestCommand({
  usage: 'deliver <hire> [url]',
  meaning: 'delivers the page at an address or one of your posts; repeat it for a new version',
  options: [new Option('--post <id>', 'your post to deliver, instead of an address').argParser(parseWholeNumber), NOTE],
  example: 'deliver 728239469038 https://example.org/rivers.html',
  act: (client, args) => {
    const { post: postId, ...fields } = requestFields<DeliverFields & { readonly post?: number }>(args);
    const [, url] = args.values;
    const hasOneTarget = (url === undefined) !== (postId === undefined);
    if (!hasOneTarget) throw new UsageError('Give either an address or --post.');
    return client.deliver({
      ...fields,
      hire: hireArgument(args),
      ...(url !== undefined ? { url } : { postId: postId! }),
    });
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

export const pay = requestCommand({
  usage: 'pay <hire>',
  meaning: 'pays the wage of a hire; repeated calls pay only once',
  options: [DIGEST],
  example: 'pay 728239469038 --per-payment 10',
  act: (client, args) => client.pay({ ...requestFields<PayFields>(args), hire: hireArgument(args) }),
  describe: wageText,
});
