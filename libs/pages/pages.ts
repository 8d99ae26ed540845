import { homePage } from './home.page.js';
import { jobPage } from './job.page.js';
import { jobsPage } from './jobs.page.js';
import type { AnyPage } from './shell/page.js';

/** Every page, in the order of the navigation. */
export const PAGES: readonly AnyPage[] = [homePage, jobsPage, jobPage];
