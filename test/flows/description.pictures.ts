import type { Calling } from './description.feed.js';

export async function showsPictures({
  ok,
  refused,
  hired,
  world,
  worker,
}: Pick<Calling, 'ok' | 'refused' | 'hired' | 'world' | 'worker'>): Promise<void> {
  const { role, hire } = await hired();
  await world.settle();
  const { items } = (await ok('get_feed', { query: '?limit=1' })) as unknown as { items: { id: number }[] };
  const { projects } = (await ok('get_projects')) as unknown as { projects: { slug: string }[] };
  await ok('get_picture_png');
  await ok('get_jobs_picture_png', { path: { slug: role } });
  await ok('get_people_picture_png', { path: { id: worker.museId } });
  await ok('get_projects_picture_png', { path: { slug: projects[0]!.slug } });
  await ok('get_feed_picture_png', { path: { id: String(items[0]!.id) } });
  await ok('get_records_picture_png', { path: { hire } });
  await refused('get_jobs_picture_png', 404, 'not_found', { path: { slug: 'job-1' } });
}
