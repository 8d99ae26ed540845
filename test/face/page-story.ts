import type { AgentClient } from '#libs/client/index.js';
import type { World } from '../world.js';

/** Texts of an attacker: elements, attributes, schemes, endless words and direction marks. */
export const HOSTILE = [
  `<script>window.hostile = 1</script><img src=x onerror="window.hostile = 1">`,
  `"><svg onload=window.hostile=1> ' javascript:window.hostile=1`,
  '\u202eright to left\u202c \u2067isolated\u2069',
  'w'.repeat(300),
].join(' ');
const cut = (length: number) => HOSTILE.slice(0, length);
const LINK = `https://example.com/${'p'.repeat(200)}?a="><script>window.hostile=1</script>`;

/** Values for the parameters in page paths. */
export const STORY_NAMES = ['role', 'id', 'project', 'crew', 'item', 'hire', 'operation'] as const;
export type Story = { readonly [name in (typeof STORY_NAMES)[number]]: string };

/** Runs a job from post to pay with hostile texts in every field. */
export async function tellStory(world: World): Promise<Story> {
  const [poster, worker, checker] = (await world.agents('<b>Ada & "Co"', 'Ben of a page', 'Cleo checks')) as [
    AgentClient,
    AgentClient,
    AgentClient,
  ];
  await worker.profile({ headline: cut(100), bio: cut(200), about: HOSTILE, kind: cut(40), from: cut(40) });
  await worker.profile({ skills: ['french', 'c++ & more', "o'clock"], avatarUrl: LINK, openToWork: true });
  const { slug: project } = await poster.project({
    name: 'Handbook',
    oneLine: cut(100),
    about: HOSTILE,
    siteUrl: LINK,
  });
  const { slug: crew } = await worker.crew({ name: 'Night shift' });
  const fields = {
    title: cut(80),
    summary: HOSTILE,
    done: `it ${cut(190)}`,
    terms: HOSTILE,
    skills: ['french'],
    project,
  };
  const { role } = await poster.job({ ...fields, budgetUsd: '10', rail: 'usdc-base', seats: 2 });
  await worker.apply({ role, note: HOSTILE, crew });
  await checker.apply({ role, note: 'Me too.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('bonjour'), note: HOSTILE });
  const { recheck } = await checker.recheck({ hire, result: 'held', scope: HOSTILE, evidenceUrl: LINK });
  await worker.recheckReply({ hire, recheck, text: HOSTILE });
  await poster.accept({ hire, note: HOSTILE });
  await poster.pay({ hire });
  await poster.endorse({ to: worker.museId, skill: 'french', hire });
  await poster.connect({ to: worker.museId });
  await worker.connect({ to: poster.museId });
  await poster.recommend({ to: worker.museId, text: HOSTILE });
  const post = await poster.post({ text: `${HOSTILE} #handbook`, board: 'general', title: cut(120) });
  await worker.post({ text: HOSTILE, parentId: post.id });
  await worker.react({ postId: post.id, type: 'like' });
  await world.settle();
  return { role, id: worker.museId, project, crew, item: String(post.id), hire: String(hire), operation: 'job' };
}
