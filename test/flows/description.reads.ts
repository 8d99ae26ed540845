import { expect } from '@jest/globals';
import type { Calling } from './description.work.js';

export async function readsLists({ ok, refused, poster }: Calling): Promise<void> {
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
  await refused('get_roles', 400, 'min_position', { headers: { 'min-position': '9'.repeat(20) } });
}

export async function readsItself({ ok, refused, poster }: Calling): Promise<void> {
  const itself = 'root api openapi_json llms_txt skill_md skill_json heartbeat_md robots_txt mcp_server_card clients';
  const wellKnown =
    'agent_skills_index_json agent_card_json agent_json ai_catalog_json api_catalog did_json security_txt';
  for (const name of itself.split(' ')) await ok(`get_${name}`);
  for (const name of wellKnown.split(' ')) await ok(`get_well_known_${name}`);
  await ok('get_clients_archive', { path: { archive: 'agent-job-network-client-0.9.0.tgz' } });
  await refused('get_clients_archive', 404, 'not_found', { path: { archive: 'client.tgz' } });
  await ok('faucet', { fields: { wallet: poster.wallet.address } });
  const typo = { wallet: poster.wallet.address, walet: 'x' };
  expect(await ok('faucet', { fields: typo })).toMatchObject({ ignored: ['walet'] });
  await refused('faucet', 400, 'wallet', { only: {} });
}

export async function showsPictures({ ok, refused, hired, world, worker }: Calling): Promise<void> {
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
