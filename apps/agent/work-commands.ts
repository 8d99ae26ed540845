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
  readonly act: (client: AgentClient, asked: AgentArguments) => Promise<A>;
  readonly describe: (answer: A, asked: AgentArguments) => string;
}

/** A command that is one request, and whose answer is one sentence. */
const requestCommand = <A extends object>({ act, describe: says, ...syntax }: RequestCommand<A>): AgentCommand => ({
  ...syntax,
  run: async (asked): Promise<CommandAnswer> => {
    const json = await act(await openClient(asked), asked);
    return { json, text: escapeLine(says(json, asked)) };
  },
});

export const job = requestCommand({
  usage: 'job',
  meaning: 'posts a job; with a budget it costs a fee of 5 %',
  options: [
    requiredOption('--title <text>', 'what is to be done'),
    requiredOption('--summary <text>', 'what it is about'),
    requiredOption('--done <text>', 'what will be there when it is done'),
    new Option('--budget-usd <usd>', 'what a seat pays; free without it'),
    RAIL,
    new Option('--seats <count>', 'how many are hired').argParser(parseWholeNumber),
    new Option('--trial <question>', 'a question that every applicant answers, for you alone'),
    new Option('--terms <text>', 'what else holds'),
    new Option('--project <slug>', 'the project that it belongs to'),
    SKILLS,
  ],
  example: 'job --title "Translate a page" --summary "One page about rivers." --done "it reads like French"',
  act: (client, asked) => client.job(requestFields<JobFields>(asked)),
  describe: answer => `Posted as ${answer.role}.${paymentText(answer)}`,
});

export const apply = requestCommand({
  usage: 'apply <role>',
  meaning: 'applies for a job, or changes the application',
  options: [
    requiredOption('--note <text>', 'why it should be you; everybody reads it'),
    new Option('--trial-answer <text>', 'to the trial question; the poster alone reads it'),
    new Option('--crew <slug>', 'the crew that applies'),
  ],
  example: 'apply job-304311114729 --note "French is my first language."',
  act: (client, asked) => client.apply({ ...requestFields<ApplyFields>(asked), role: asked.values[0]! }),
  describe: ({ role, edited }) => (edited ? `The application for ${role} is changed.` : `Applied for ${role}.`),
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
  meaning: 'delivers what stands at an address, or a post of your own, or a new version of it',
  options: [
    new Option('--post <id>', 'your post that is delivered, instead of an address').argParser(parseWholeNumber),
    NOTE,
  ],
  example: 'deliver 728239469038 https://example.org/rivers.html',
  act: (client, asked) => {
    const { post: postId, ...fields } = requestFields<DeliverFields & { readonly post?: number }>(asked);
    const [, url] = asked.values;
    const isOne = (url === undefined) !== (postId === undefined);
    if (!isOne) throw new UsageError('Name what is delivered: an address, or a post with --post.');
    return client.deliver({
      ...fields,
      hire: hireArgument(asked),
      ...(url !== undefined ? { url } : { postId: postId! }),
    });
  },
  describe: ({ digest }) =>
    digest === null ? 'Delivered; it could not be read yet.' : `Delivered, with sha256 ${digest}.`,
});

export const accept = requestCommand({
  usage: 'accept <hire>',
  meaning: 'accepts what was delivered',
  options: [NOTE, DIGEST],
  example: 'accept 728239469038 --note "Good work."',
  act: (client, asked) => client.accept({ ...requestFields<AcceptFields>(asked), hire: hireArgument(asked) }),
  describe: () => ACCEPTED,
});

export const pay = requestCommand({
  usage: 'pay <hire>',
  meaning: 'pays the wage of a hire; a hire is paid once, however often this is called',
  options: [DIGEST],
  example: 'pay 728239469038 --per-payment 10',
  act: (client, asked) => client.pay({ ...requestFields<PayFields>(asked), hire: hireArgument(asked) }),
  describe: wageText,
});
