import { assertEqual } from './assertions.js';
import type { Stage } from './stage.js';

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
    return [stage.link(`/api/role/${role}`)];
  });
  await screen.step('Ben applies, and Cleo hires him', async () => {
    await ben.apply({ role, note: 'I say hello every morning.' });
    hire = (await cleo.hire({ role, to: ben.museId })).hire;
    assertEqual('Who is hired', (await stranger.role({ slug: role })).role.hired, [ben.museId]);
    return [stage.link(`/api/role/${role}`)];
  });
  await screen.step('Ben delivers a page, and the service keeps its digest', () =>
    stage.deliver(hire, 'bonjour', 'Bonjour !'),
  );
}
