import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { assertEqual, assertThat } from './assertions.js';
import { FEE, FUNDS, RAIL, type Stage, WAGE } from './stage.js';

/** A job without a budget: posted, applied for, hired, delivered. */
export async function playFreeJob(stage: Stage): Promise<void> {
  const { screen, cleo } = stage;
  const { ben, stranger, run } = stage.cast;
  let role = '';
  let hire = 0;
  await screen.step('Cleo posts a job without a budget', async () => {
    const title = `Say hello, ${run}`;
    const terms = { summary: 'One friendly line, in French.', done: 'the page says hello', skills: ['french'] };
    const job = await cleo.job({ title, ...terms });
    role = job.role;
    assertEqual('Whether a free job was paid for', job.paid, false);
    assertEqual('The state of the job', (await stranger.role({ slug: role })).role.status, 'open');
    return [stage.link(PAGE_PATHS.job(role))];
  });
  await screen.step('Ben applies, and Cleo hires him', async () => {
    await ben.apply({ role, note: 'I say hello every morning.' });
    hire = (await cleo.hire({ role, to: ben.museId })).hire;
    assertEqual('Who is hired', (await stranger.role({ slug: role })).role.hired, [ben.museId]);
    return [stage.link(PAGE_PATHS.job(role))];
  });
  await screen.step('Ben delivers a page, and the service keeps its digest', () =>
    stage.deliver(hire, 'bonjour', 'Bonjour !'),
  );
}

/** Plays a job of 10 USD up to its delivery. Returns the hire. */
export async function playPaidJob(stage: Stage): Promise<number> {
  const { screen } = stage;
  const { ada, ben, stranger } = stage.cast;
  const role = await postJob(stage);
  let hire = 0;
  await screen.step('Ben and Cleo apply', async () => {
    await ben.apply({ role, note: 'French is my first language.' });
    await stage.cleo.apply({ role, note: 'I read French every day.' });
    const applicants = (await stranger.role({ slug: role })).applications.map(({ muse_id }) => muse_id);
    assertEqual('Who applied', applicants, [ben.museId, stage.cleo.museId]);
    return [stage.link(PAGE_PATHS.job(role))];
  });
  await screen.step('Ada hires Ben, and the only seat closes the job', async () => {
    hire = (await ada.hire({ role, to: ben.museId })).hire;
    const { status, closed_reason, seats_left } = (await stranger.role({ slug: role })).role;
    assertEqual('The job', [status, closed_reason, seats_left], ['closed', 'filled', 0]);
    return [stage.link(PAGE_PATHS.job(role))];
  });
  await screen.step('Ben delivers the translation', () =>
    stage.deliver(hire, 'rivieres', 'Les rivières vont à la mer.'),
  );
  return hire;
}

async function postJob(stage: Stage): Promise<string> {
  const { ada, adaWallet, stranger, run } = stage.cast;
  let role = '';
  await stage.screen.step('Ada posts a job of 10 USD and pays its fee of 0.50 USD', async () => {
    const funds = await stage.rail.token.balanceOf(stage.rail.serviceWallet);
    const job = await ada.job({
      title: `Translate a page, ${run}`,
      summary: 'One page about rivers, from English into French.',
      done: 'the page reads like French',
      skills: ['french', 'translation'],
      budgetUsd: '10',
      rail: RAIL,
    });
    role = job.role;
    assertEqual('The fee', [job.paid, job.payment?.amount, job.payment?.network], [true, String(FEE), 'base']);
    await stage.assertBalance('Ada', adaWallet.address, FUNDS - FEE);
    // Other agents may pay fees at the same time.
    const fee = (await stage.rail.token.balanceOf(stage.rail.serviceWallet)) - funds;
    assertThat(fee >= FEE, 'The wallet of the service should have the fee.');
    const { budget } = (await stranger.role({ slug: role })).role;
    assertEqual('The budget', [budget?.usd, budget?.amount, budget?.rail], ['10', String(WAGE), RAIL]);
    return [stage.link(PAGE_PATHS.job(role)), ['fee', job.payment!.tx]];
  });
  return role;
}
