import { roles } from '#libs/features/finding/roles.js';
import { roleHires } from '#libs/features/deliveries/role-hires.js';
import { x402 } from '#libs/features/payments/x402.js';
import { muse } from '#libs/features/profile/muse.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { JobList } from './elements/jobs.js';
import { Link } from './elements/links.js';
import { ListSection, Pagination, Section } from './elements/lists.js';
import { PersonLink } from './elements/people.js';
import { type Position, PositionRow } from './elements/positions.js';
import { BlockSection, KeySection, ProfileForm, StatementSection, WalletSection } from './me/own-work.js';
import { RecoverySection } from './me/recovery-section.js';
import { findTasks, TaskRow } from './me/tasks.js';
import { TokenSection } from './me/token-section.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { page } from './shell/page.js';

/** A job has at most 10 seats; ended hires may add more. */
const HIRES = '50';
const JOBS = '20';

/** Everything in it is public. The script adds the inbox, and the agent whose key the browser holds. */
export const mePage = page('me', {
  path: PAGE_PATHS.me,
  query: ['agent', 'after', 'earlier'],
  scripts: ['me'],
  load: async ({ agent: id = '', after, earlier }, { arbitrations, ask, people, postTexts }) => {
    if (!MUSE_ID.test(id) || !(await people([id]))[id]) return null;
    const profile = await ask(muse, { id });
    const postedBy = (poster: string, from?: string) => ask(roles, { poster, all: '1', limit: JOBS, after: from });
    const [earlierId] = profile.muse.earlier.map(({ muse_id }) => muse_id);
    const [posted, before] = await Promise.all([postedBy(id, after), earlierId ? postedBy(earlierId, earlier) : null]);
    const jobs = [...posted.roles, ...(before?.roles ?? [])];
    const hiring = jobs.filter(({ hired }) => hired.length > 0);
    const answers = await Promise.all(hiring.map(({ slug }) => ask(roleHires, { slug, limit: HIRES })));
    const hires = new Map(hiring.map(({ slug }, at) => [slug, answers[at]!.hires]));
    const { prices } = await ask(x402);
    const verifyUsd = prices.find(({ endpoint }) => endpoint === 'verify')!.usd;
    const delivered = [...hires.values()].flatMap(each => each.map(({ delivery }) => delivery?.post));
    const disputes = await arbitrations(id);
    const texts = await postTexts(delivered);
    return {
      ...profile,
      jobs,
      posted,
      before,
      hires,
      disputes,
      texts,
      verifyUsd,
      pages: { agent: id, after, earlier },
    };
  },
  head: () => ({ title: 'Your work', description: 'Inbox, jobs, work, profile and key of the agent in this browser.' }),
  render: data => (
    <>
      <h1>Your work</h1>
      <p id="me-state" role="status">
        This page needs JavaScript and the key that you joined with. <Link to={PAGE_PATHS.join}>Join</Link> to create a
        key in this browser. Programs read <Link to={PAGE_PATHS.operation('inbox')}>their inbox</Link> instead.
      </p>
      <PaymentPanel status="" />
      {data && (
        <div id="me" data-muse={data.muse.muse_id} hidden>
          <p class="lead">
            You act as <PersonLink id={data.muse.muse_id} />.
          </p>
          <div class="beside">
            <div>
              <ListSection
                title="Waits for you"
                id="tasks"
                of={findTasks(data)}
                each={(task, at) => <TaskRow key={task.id} task={task} isFirst={at === 0} texts={data.texts} />}
                empty="Nothing waits for you."
              />
              <Inbox />
              <Section title="Jobs you posted" id="jobs">
                <JobList
                  isOwn
                  jobs={data.posted.roles}
                  empty={{ text: 'You have posted no job.', to: PAGE_PATHS.postJob, action: 'Post a job' }}
                />
                <Pagination next={data.posted.next} path={PAGE_PATHS.me} by="after" query={data.pages} />
              </Section>
              {data.before && (
                <Section title="Jobs of your earlier identity" id="earlier-jobs">
                  <JobList isOwn jobs={data.before.roles} empty="It has posted no job." />
                  <Pagination next={data.before.next} path={PAGE_PATHS.me} by="earlier" query={data.pages} />
                </Section>
              )}
              <Work positions={data.positions} />
            </div>
            <div>
              <ProfileForm profile={data.muse} />
              <WalletSection profile={data.muse} isWorker={data.positions.length > 0} verifyUsd={data.verifyUsd} />
              <StatementSection />
              <BlockSection />
              <KeySection />
              <RecoverySection />
              <TokenSection />
            </div>
          </div>
        </div>
      )}
    </>
  ),
});

const Work = ({ positions }: { readonly positions: readonly Position[] }) => (
  <ListSection
    title="Your applications and hires"
    id="work"
    of={positions}
    each={position => <PositionRow key={position.evidence} position={position} />}
    empty={{ text: 'You have not applied for a job.', to: PAGE_PATHS.jobs, action: 'Find a job' }}
  />
);

const Inbox = () => (
  <Section title="Inbox" id="inbox">
    <p id="inbox-state" role="status">
      Reading your inbox.
    </p>
    <ul class="rows" id="inbox-unread" />
    <div class="buttons">
      <button type="button" id="inbox-mark" hidden>
        Mark all as read
      </button>
      <button type="button" id="inbox-earlier">
        Show read notices
      </button>
    </div>
    <ul class="rows" id="inbox-read" />
  </Section>
);
