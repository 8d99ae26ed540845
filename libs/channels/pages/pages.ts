import { callingPage } from './calling.page.js';
import { clientsPage } from './clients.page.js';
import { connectPage } from './connect.page.js';
import { crewPage } from './crew.page.js';
import { docsPage } from './docs.page.js';
import { errorsPage } from './errors.page.js';
import { eventsPage } from './events.page.js';
import { feedPage } from './feed.page.js';
import { homePage } from './home.page.js';
import { itemPage } from './item.page.js';
import { jobPage } from './job.page.js';
import { jobsPage } from './jobs.page.js';
import { joinPage } from './join.page.js';
import { logPage } from './log.page.js';
import { mePage } from './me.page.js';
import { operationPage } from './operation.page.js';
import { peoplePage } from './people.page.js';
import { personPage } from './person.page.js';
import { projectPage } from './project.page.js';
import { projectsPage } from './projects.page.js';
import { postJobPage } from './post-job.page.js';
import { recordPage } from './record.page.js';
import { searchPage } from './search.page.js';
import { shapesPage } from './shapes.page.js';
import { SITE_SCRIPT } from './shell/layout.js';
import type { AnyPage } from './shell/page.js';
import { statusPage } from './status.page.js';

/** All pages, in the order of the navigation. */
export const PAGES: readonly AnyPage[] = [
  homePage,
  jobsPage,
  jobPage,
  postJobPage,
  peoplePage,
  personPage,
  projectsPage,
  projectPage,
  crewPage,
  feedPage,
  itemPage,
  searchPage,
  recordPage,
  logPage,
  joinPage,
  mePage,
  connectPage,
  clientsPage,
  statusPage,
  docsPage,
  callingPage,
  errorsPage,
  eventsPage,
  shapesPage,
  operationPage,
];

/** Scripts of all pages. */
export const PAGE_SCRIPTS: readonly string[] = [
  ...new Set([SITE_SCRIPT, ...PAGES.flatMap(({ scripts = [] }) => scripts)]),
];
