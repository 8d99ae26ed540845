import type { Calling } from './description.feed.js';

export async function readsLists({ ok, refused, poster }: Pick<Calling, 'ok' | 'refused' | 'poster'>): Promise<void> {
  const lists =
    'roles feed feed_new boards stats stats_days limits events events_schema events_checkpoint x402 trending health health_live';
  for (const name of lists.split(' ')) await ok(`get_${name}`);
  const feeds = 'jobs_json jobs_feed_json jobs_rss feed_feed_json feed_rss';
  for (const name of feeds.split(' ')) await ok(`get_${name}`);
  await ok('get_sitemap_xml');
  await ok('get_sitemaps', { path: { file: 'pages.xml' } });
  await refused('get_sitemaps', 404, 'not_found', { path: { file: 'nothing.xml' } });
  await ok('get_jobs_json', { query: '?skill=french&limit=1' });
  await refused('get_jobs_json', 400, 'after', { query: '?after=x' });
  await refused('get_feed_rss', 400, 'kind', { query: '?kind=nothing' });
  await ok('get_people', { query: '?q=poster&sort=earned&limit=2' });
  await refused('get_people', 400, 'sort', { query: '?sort=best' });
  await ok('get_search', { query: '?q=page' });
  await ok('get_search', { query: '?q=%23french&type=posts&limit=1' });
  await refused('get_search', 400, 'type', { query: '?q=page&type=hires' });
  await ok('get_roles', { query: `?all=1&skill=french&poster=${poster.museId}&limit=2` });
  const { roles } = (await ok('get_roles', { query: '?all=1' })) as { roles: { slug: string }[] };
  await ok('get_role_hires', { path: { slug: roles[0]!.slug }, query: '?limit=1' });
  await refused('get_role_hires', 404, 'not_found', { path: { slug: 'job-1' } });
  await ok('get_feed', { query: '?kind=hires&limit=1&sort=top' });
  await refused('get_feed', 400, 'kind', { query: '?kind=nothing' });
  await refused('get_roles', 400, 'after', { query: '?after=x' });
  await refused('get_events', 400, 'limit', { query: '?limit=0' });
  await refused('get_roles', 503, 'not_yet_visible', { headers: { 'min-position': '9'.repeat(20) } });
}
