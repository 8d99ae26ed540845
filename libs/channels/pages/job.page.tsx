import { role } from '#libs/features/deliveries/role.js';
import { roleHires } from '#libs/features/deliveries/role-hires.js';
import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import { x402 } from '#libs/features/payments/x402.js';
import { projectPage } from '#libs/features/profile/project-page.js';
import { museIdsIn } from '#libs/features/identity/views/summaries.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { countDays, countHours } from './elements/escrow-texts.js';
import { isWithheld, jobPosting } from './elements/job-posting.js';
import { type Job, payText } from './elements/jobs.js';
import { Section } from './elements/lists.js';
import { ReportForm } from './elements/report-form.js';
import { Skills } from './elements/people.js';
import { positionStatusText, UNPAID } from './elements/positions.js';
import { Empty, MemberName, MemberText } from './elements/texts.js';
import { Applications, HireCard, JobCard } from './job/cards.js';
import { jobSteps } from './job/steps.js';
import { page, previewPicture } from './shell/page.js';
import { actorFor, type People, type ShapeValue } from './shell/page-content.js';

/** A job has at most 10 seats; ended hires may add more. */
const HIRES = '50';

export const jobPage = page('job', {
  path: '/jobs/:role',
  query: ['after'],
  scripts: ['job'],
  load: async (
    { role: slug, after },
    { ask, crewNames, hireDetails, people, postTexts, readActors, readUnpayable, roleTitles },
  ) => {
    const [{ role: job, applications, next, muses }, { hires }, { rails }] = await Promise.all([
      ask(role, { slug, after }),
      ask(roleHires, { slug, limit: HIRES }),
      ask(x402),
    ]);
    const [histories, projectAnswer, titles, crews, texts] = await Promise.all([
      hireDetails(hires.map(({ hire }) => hire)),
      job.project === null ? null : ask(projectPage, { slug: job.project }),
      roleTitles([job.again_of]),
      crewNames(applications.map(({ crew }) => crew)),
      postTexts(hires.map(({ delivery }) => delivery?.post)),
    ]);
    const details = new Map(histories.map(each => [each.hire.hire, each]));
    const checkers = museIdsIn(histories.map(({ rechecks }) => rechecks));
    await people(checkers);
    const actors = await readActors([
      job.poster,
      ...hires.flatMap(({ poster, muse_id }) => [poster, muse_id]),
      ...checkers,
    ]);
    const acting = { ...job, poster: actorFor(job.poster, actors) };
    if (job.budget) await readUnpayable([...applications, ...hires].map(({ muse_id }) => muse_id));
    const project = projectAnswer?.project.name ?? null;
    const card = {
      project,
      again: titles.get(job.again_of ?? '') ?? null,
      stats: job.poster_stats,
      time: timeToDeliver(job),
      payTime: job.pay_within_days === null ? null : countDays(job.pay_within_days),
    };
    const playMoney = rails.some(({ play_money }) => play_money === true);
    return { job, acting, card, applications, crews, hires, details, texts, next, muses, after, playMoney };
  },
  head: ({ job, hires, muses }, baseUrl) => {
    const data = jobPosting(job, muses, baseUrl);
    return {
      title: job.title ?? job.slug,
      description: `${payText(job.budget)}, ${isWithheld(job, muses) ? 'takes no applications now' : statusOf(job, hires)}. ${job.summary ?? ''}`,
      ...previewPicture(PAGE_PATHS.job(job.slug), job.title ?? job.slug),
      ...(data && { data }),
    };
  },
  render: ({ job, acting, card, applications, crews, hires, details, texts, next, muses, after, playMoney }) => (
    <>
      <h1>
        <MemberName text={job.title} otherwise={job.slug} />{' '}
        <span class={`badge ${TONES[statusOf(job, hires)]}`}>{statusOf(job, hires)}</span>
      </h1>
      <p id="next-step" hidden />
      {isWithheld(job, muses) && <p class="warn">The poster is suspended, so the job takes no applications now.</p>}
      <Skills skills={job.skills} />
      <div class="beside">
        <JobTexts job={job} />
        <JobCard
          job={job}
          {...card}
          steps={jobSteps(acting, applications, { isHiring: isHiring(job, muses), canReopen: hires.some(canEnd) })}
          closed={closedSentence(job, hires, muses)}
        />
        <div>
          <Section title="Hires" id="hires">
            {hires.length === 0 && <Empty text="No hires yet." />}
            {hires.map(position => (
              <HireCard
                key={position.hire}
                position={position}
                details={details.get(position.hire)!}
                texts={texts}
                playMoney={playMoney}
                terms={job.escrow}
              />
            ))}
          </Section>
          <Applications
            job={acting}
            isHiring={isHiring(job, muses)}
            applications={applications}
            crews={crews}
            after={after}
            next={next}
          />
          <ReportForm thing={{ role: job.slug }} owner={acting.poster} />
        </div>
      </div>
    </>
  ),
});

const timeToDeliver = ({ escrow, deliver_hours: hours }: Job) =>
  escrow ? countDays(escrow.work_days) : hours === null ? null : countHours(hours);

const canEnd = ({ ended, delivery }: JobHire) => !ended && !delivery;
const isHiring = (job: Job, muses: People) => job.status === 'open' && !isWithheld(job, muses);

type JobHire = ShapeValue<typeof RoleHire>;

type JobStatus = Job['status'] | 'done' | typeof UNPAID;

const TONES: { readonly [status in JobStatus]: string } = { open: 'good', closed: '', done: 'good', [UNPAID]: 'info' };

/** A closed job is done once all its hires are paid, or accepted without a wage. */
function statusOf({ status }: Job, hires: readonly JobHire[]): JobStatus {
  const results = hires.map(hire => positionStatusText(hire)).filter(result => result !== 'ended');
  if (status === 'open' || results.length === 0 || !results.every(result => ENDS.has(result))) return status;
  return results.includes(UNPAID) ? UNPAID : 'done';
}

const ENDS: ReadonlySet<string> = new Set(['accepted', UNPAID, 'paid']);

function closedSentence(job: Job, hires: readonly JobHire[], muses: People): string | null {
  const status = statusOf(job, hires);
  if (job.status === 'closed') return status === UNPAID ? `The work is ${UNPAID}.` : `This job is ${status}.`;
  return isWithheld(job, muses) ? 'This job takes no applications now.' : null;
}

/** The description and the contract side by side. */
const JobTexts = ({ job }: { readonly job: Job }) => (
  <div class="columns texts">
    <Section title="Description" id="description">
      <MemberText text={job.summary} />
    </Section>
    <Section title="Done when" id="done-when">
      <MemberText text={job.done} />
    </Section>
    {job.terms && (
      <Section title="Further terms" id="further-terms">
        <MemberText text={job.terms} />
      </Section>
    )}
    {job.trial && (
      <Section title="Screening question" id="trial">
        <MemberText text={job.trial} />
      </Section>
    )}
  </div>
);
