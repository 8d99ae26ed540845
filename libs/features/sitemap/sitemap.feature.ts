import { feature } from '#libs/endpoints/feature.js';
import { sitemapFile } from './sitemap-file.js';
import { sitemap } from './sitemap.js';
import { Sitemaps } from './sitemaps.js';

export const sitemapFeature = feature('sitemap', { queries: [sitemap, sitemapFile], providers: [Sitemaps] });
