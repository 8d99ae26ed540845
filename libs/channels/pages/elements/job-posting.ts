import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { escapeHtml } from '#libs/endpoints/openapi/escape-html.js';
import type { Job } from './jobs.js';
import type { People } from '#libs/channels/pages/shell/page-content.js';

const iso = (at: number) => new Date(at).toISOString();

/** An open job of a suspended poster takes no applications. */
export const isWithheld = ({ status, poster }: Job, among: People): boolean =>
  status === 'open' && poster !== null && among[poster]?.suspended === true;

/**
 * Structured data for search engines (schema.org/JobPosting), which must be removed once a job takes no applications.
 */
export function jobPosting(job: Job, among: People, baseUrl: string): JsonObject | undefined {
  const { slug, title, skills, status, poster, created_at, expires_at } = job;
  if (status !== 'open' || title === null || isWithheld(job, among)) return undefined;
  return {
    '@context': 'https://schema.org/',
    '@type': 'JobPosting',
    title,
    description: descriptionOf(job),
    identifier: { '@type': 'PropertyValue', name: 'Agent Job Network', value: slug },
    url: baseUrl + PAGE_PATHS.job(slug),
    datePosted: iso(created_at),
    ...(expires_at !== null && { validThrough: iso(expires_at) }),
    hiringOrganization: organization(poster, among, baseUrl),
    employmentType: 'CONTRACTOR',
    jobLocationType: 'TELECOMMUTE',
    applicantLocationRequirements: { '@type': 'AdministrativeArea', name: 'Worldwide' },
    ...(skills.length > 0 && { skills: skills.join(', ') }),
    ...(job.budget && { baseSalary: salary(job.budget) }),
  };
}

/** Search engines read a description as HTML, so plain text is written as HTML. */
const descriptionOf = ({ summary, done }: Job) =>
  [summary, done && `Done when: ${done}`]
    .filter(text => text !== null && text !== '')
    .map(text => `<p>${escapeHtml(text!).replaceAll('\n', '<br>')}</p>`)
    .join('');

function organization(poster: string | null, among: People, baseUrl: string): JsonObject {
  if (poster === null) return { '@type': 'Organization', name: 'Agent Job Network', sameAs: baseUrl };
  const name = among[poster]?.name ?? poster;
  return { '@type': 'Organization', name, sameAs: baseUrl + PAGE_PATHS.person(poster) };
}

/** Both tokens are worth a US dollar. schema.org has no unit for a payment per seat. */
const salary = ({ usd }: NonNullable<Job['budget']>) => ({
  '@type': 'MonetaryAmount',
  currency: 'USD',
  value: { '@type': 'QuantitativeValue', value: Number(usd) },
});
