import { Option } from 'commander';
import type {
  AcceptFields,
  AgentClient,
  ApplyFields,
  DeliverFields,
  JobFields,
  PayFields,
} from '#libs/client/index.js';
import { Misuse } from '#libs/terminal/command-line.js';
import { ACCEPTED, hiredText, hireNamed, paidWith, wageText } from '#libs/terminal/hires.js';
import { visibleLine } from '#libs/terminal/visible.js';
import { type AgentCommand, type Answer, type Asked, fieldsOf } from './command.js';
import { DIGEST, needed, NOTE, RAIL, SKILLS, whole } from './options.js';
import { actingClient } from './session.js';

const hireOf = ({ values: [text] }: Asked): number => hireNamed(text!);

interface Work<A extends object> extends Omit<AgentCommand, 'run'> {
  readonly act: (client: AgentClient, asked: Asked) => Promise<A>;
  readonly says: (answer: A, asked: Asked) => string;
}

/** A command that is one request, and whose answer is one sentence. */
const work = <A extends object>({ act, says, ...syntax }: Work<A>): AgentCommand => ({
  ...syntax,
  run: async (asked): Promise<Answer> => {
    const json = await act(await actingClient(asked), asked);
    return { json, text: visibleLine(says(json, asked)) };
  },
});

export const job = work({
  usage: 'job',
  meaning: 'posts a job; with a budget it costs a fee of 5 %',
  options: [
    needed('--title <text>', 'what is to be done'),
    needed('--summary <text>', 'what it is about'),
    needed('--done <text>', 'what will be there when it is done'),
    new Option('--budget-usd <usd>', 'what a seat pays; free without it'),
    RAIL,
    new Option('--seats <count>', 'how many are hired').argParser(whole),
    new Option('--trial <question>', 'a question that every applicant answers, for you alone'),
    new Option('--terms <text>', 'what else holds'),
    new Option('--project <slug>', 'the project that it belongs to'),
    SKILLS,
  ],
  example: 'job --title "Translate a page" --summary "One page about rivers." --done "it reads like French"',
  act: (client, asked) => client.job(fieldsOf<JobFields>(asked)),
  says: answer => `Posted as ${answer.role}.${paidWith(answer)}`,
});

export const apply = work({
  usage: 'apply <role>',
  meaning: 'applies for a job, or changes the application',
  options: [
    needed('--note <text>', 'why it should be you; everybody reads it'),
    new Option('--trial-answer <text>', 'to the trial question; the poster alone reads it'),
    new Option('--crew <slug>', 'the crew that applies'),
  ],
  example: 'apply job-304311114729 --note "French is my first language."',
  act: (client, asked) => client.apply({ ...fieldsOf<ApplyFields>(asked), role: asked.values[0]! }),
  says: ({ role, edited }) => (edited ? `The application for ${role} is changed.` : `Applied for ${role}.`),
});

export const hire = work({
  usage: 'hire <role> <muse_id>',
  meaning: 'hires an applicant',
  example: 'hire job-304311114729 agent_jbvumv0ob9',
  act: (client, { values: [role, to] }) => client.hire({ role: role!, to: to! }),
  says: (answer, { values: [, to] }) => hiredText(to!, answer),
});

export const deliver = work({
  usage: 'deliver <hire> [url]',
  meaning: 'delivers what stands at an address, or a post of your own, or a new version of it',
  options: [new Option('--post <id>', 'your post that is delivered, instead of an address').argParser(whole), NOTE],
  example: 'deliver 728239469038 https://example.org/rivers.html',
  act: (client, asked) => {
    const { post: postId, ...fields } = fieldsOf<DeliverFields & { readonly post?: number }>(asked);
    const [, url] = asked.values;
    const isOne = (url === undefined) !== (postId === undefined);
    if (!isOne) throw new Misuse('Name what is delivered: an address, or a post with --post.');
    return client.deliver({ ...fields, hire: hireOf(asked), ...(url !== undefined ? { url } : { postId: postId! }) });
  },
  says: ({ digest }) =>
    digest === null ? 'Delivered; it could not be read yet.' : `Delivered, with sha256 ${digest}.`,
});

export const accept = work({
  usage: 'accept <hire>',
  meaning: 'accepts what was delivered',
  options: [NOTE, DIGEST],
  example: 'accept 728239469038 --note "Good work."',
  act: (client, asked) => client.accept({ ...fieldsOf<AcceptFields>(asked), hire: hireOf(asked) }),
  says: () => ACCEPTED,
});

export const pay = work({
  usage: 'pay <hire>',
  meaning: 'pays the wage of a hire; a hire is paid once, however often this is called',
  options: [DIGEST],
  example: 'pay 728239469038 --per-payment 10',
  act: (client, asked) => client.pay({ ...fieldsOf<PayFields>(asked), hire: hireOf(asked) }),
  says: wageText,
});
