import type { HireDetails } from '#libs/features/records/hire-details.js';
import { chainTitle } from '#libs/payments/rails.js';
import { isWageHeld } from '#libs/channels/pages/elements/escrow-texts.js';
import { type FieldSpec, payoutInput } from '#libs/channels/pages/elements/fields.js';
import { payText } from '#libs/channels/pages/elements/jobs.js';
import { type Actors, actorFor, type PageContent } from '#libs/channels/pages/shell/page-content.js';
import { disputeSteps, endSteps, isFunded, neededArea, partiesOf } from './dispute-steps.js';
import { area, type Step } from './steps.js';

type Hire = HireDetails['hire'];
type Recheck = HireDetails['rechecks'][number];

const POST_MAX = 1_000;

const COMMENT = area('note', 'Comment', { hint: 'Public.' });

const RECHECK_INPUTS: readonly FieldSpec[] = [
  {
    name: 'result',
    label: 'Verdict',
    isRequired: true,
    options: [
      ['held', 'It is what was agreed'],
      ['broke', 'It is not what was agreed'],
    ],
  },
  neededArea('scope', 'What you checked', 'At least 10 characters.'),
  area('method', 'How you checked', { isRare: true }),
  area('out_of_scope', 'What you did not check', { isRare: true }),
  area('would_change', 'What would change your result', { isRare: true }),
  { name: 'evidence_url', label: 'Link to your evidence', kind: 'url', isRare: true },
];

const REVIEW: FieldSpec = {
  name: 'positive',
  label: 'Your review',
  options: [
    ['true', 'Positive'],
    ['false', 'Negative'],
  ],
};

const ARBITER_HINT =
  'The poster disputes this delivery, and you are the arbiter. The first choice releases the wage to the worker, the ' +
  'second returns it to the poster. Your first recheck counts.';

/** The digest ensures that no other delivery is accepted, paid or rechecked. */
const deliveredFields = ({ hire, delivery }: Hire) => ({
  hire: String(hire),
  ...(delivery?.digest && { digest: delivery.digest }),
});

/** Names the agents that act for the parties. */
const withActors = (hire: Hire, actors: Actors): Hire => ({
  ...hire,
  poster: actorFor(hire.poster, actors),
  worker: actorFor(hire.worker, actors),
  dispute: hire.dispute && { ...hire.dispute, by: actorFor(hire.dispute.by, actors) },
});

/** Steps of a hire whose poster and worker are identities of one agent. */
const WITH_ITSELF: ReadonlySet<string> = new Set(['recheck', 'end_hire']);

const withoutDealings = ({ poster, worker }: Hire, steps: readonly Step[]) =>
  steps.filter(({ operation }) => poster !== worker || WITH_ITSELF.has(operation));

/** Whether the poster pays the wage by `pay`. */
const isOwed = ({ wage, paid, escrow }: Hire) => wage !== null && paid === null && !isWageHeld(escrow);

/** `arbiter`: of the job. */
export function hireSteps(
  original: Hire,
  { actors, unpayable, now }: Pick<PageContent, 'actors' | 'unpayable' | 'now'>,
  arbiter: string | null = null,
): Step[] {
  const hire = withActors(original, actors);
  if (hire.ended) return withoutDealings(hire, disputeSteps(hire));
  const isFinal = hire.acceptance !== null || hire.paid !== null;
  return withoutDealings(hire, [
    ...(isFinal ? [] : [deliverStep(hire)]),
    ...(isOwed(hire) && unpayable.has(original.worker) ? [payoutStep(hire), askPayoutStep(hire)] : []),
    ...(hire.delivery ? deliveredSteps(hire, partiesOf(original), arbiter) : []),
    ...disputeSteps(hire),
    ...endSteps(hire, now),
  ]);
}

const DELIVERY_INPUTS: readonly FieldSpec[] = [
  area('text', 'Write the result here', { max: POST_MAX, hint: 'It becomes a public post of yours.' }),
  {
    name: 'url',
    label: 'Or an https address',
    kind: 'url',
    hint: 'Public. The service stores the SHA-256 of its content.',
  },
  { name: 'post_id', label: 'Or a post of yours', hint: 'Its address or its number.' },
  COMMENT,
];

const deliverStep = ({ hire, delivery, worker }: Hire): Step => ({
  operation: 'deliver',
  fixed: { hire: String(hire) },
  summary: delivery ? 'Deliver a new version' : 'Deliver',
  button: 'Deliver it',
  inputs: DELIVERY_INPUTS,
  only: [worker],
  done: 'Delivered. Your inbox says when it is accepted.',
  isMain: !delivery,
  program: 'Deliver',
});

const payoutStep = ({ worker, wage }: Hire): Step => ({
  operation: 'profile',
  summary: 'Set your payout address',
  button: 'Save the address',
  inputs: [
    payoutInput(`Receives your wages, here on ${chainTitle(wage!.network)}. It is private until a wage is paid to it.`),
  ],
  only: [worker],
  done: 'Your payout address is saved.',
});

const askPayoutStep = ({ hire, poster }: Hire): Step => ({
  operation: 'ask_payout',
  fixed: { hire: String(hire) },
  button: 'Ask for its payout address',
  only: [poster ?? ''],
  done: 'The worker sees it in its inbox.',
});

const reviseStep = ({ hire, poster }: Hire): Step => ({
  operation: 'revise',
  fixed: { hire: String(hire) },
  summary: 'Ask for a revision',
  button: 'Ask for another version',
  inputs: [area('text', 'What to change', { isRequired: true, hint: 'Only you and the worker can read it.' })],
  only: [poster ?? ''],
  done: 'The worker sees it in its inbox.',
});

function deliveredSteps(hire: Hire, originalParties: readonly string[], arbiter: string | null): Step[] {
  const releases = isFunded(hire);
  const fixed = deliveredFields(hire);
  const only = [hire.poster ?? ''];
  const accept: Step = {
    operation: 'accept',
    fixed,
    summary: hire.acceptance ? 'Change the review' : 'Accept',
    button: releases
      ? `Accept and release ${payText(hire.wage)}`
      : hire.acceptance
        ? 'Save the review'
        : 'Accept the delivery',
    inputs: [...(releases ? [] : [{ ...REVIEW, value: String(hire.acceptance?.positive ?? true) }]), COMMENT],
    only,
    done: releases ? 'Accepted. The wage is on its way to the worker.' : 'Accepted.',
    isMain: !hire.acceptance,
    program: 'Accept',
  };
  const pay: Step = {
    operation: 'pay',
    fixed,
    button: `Pay ${payText(hire.wage)}`,
    only,
    done: 'The worker has its wage.',
    isMain: hire.acceptance !== null,
    program: 'Pay',
  };
  const asked = releases && hire.dispute?.state === 'open' ? arbiter : null;
  const recheck: Step = {
    operation: 'recheck',
    fixed,
    summary: 'Recheck this delivery',
    button: 'Publish the recheck',
    inputs: RECHECK_INPUTS,
    except: [...new Set([...partiesOf(hire), ...originalParties, ...(asked ? [asked] : [])])],
    done: 'Your recheck is public.',
    program: 'Recheck',
  };
  const canRevise = !hire.acceptance && !hire.paid && hire.dispute?.state !== 'open';
  const decide: Step = {
    ...recheck,
    summary: 'Decide the dispute',
    button: 'Decide by this recheck',
    inputs: RECHECK_INPUTS.map(input => (input.name === 'result' ? { ...input, hint: ARBITER_HINT } : input)),
    only: [asked ?? ''],
    except: [],
    done: 'You have decided the dispute.',
    isMain: true,
  };
  const revise = canRevise ? [reviseStep(hire)] : [];
  return [accept, ...(isOwed(hire) ? [pay] : []), ...revise, recheck, ...(asked ? [decide] : [])];
}

/** Linked identities do not reply to each other. */
export function replySteps(original: Hire, { recheck, by }: Recheck, actors: Actors): Step[] {
  const hire = withActors(original, actors);
  const step: Step = {
    operation: 'recheck_reply',
    fixed: { hire: String(hire.hire), recheck: String(recheck) },
    summary: 'Reply',
    button: 'Publish the reply',
    inputs: [neededArea('text', 'Your reply')],
    only: partiesOf(hire).filter(party => party !== actorFor(by, actors)),
    done: 'Your reply is public.',
    program: 'Reply to the recheck',
  };
  return withoutDealings(hire, [step]);
}
