import { feature } from '#libs/endpoints/feature.js';
import { health } from './health.js';
import { HealthReport } from './health-report.js';
import { limits } from './limits.js';
import { live } from './live.js';
import { StatusHistory } from './status-history.js';
import { stats } from './stats.js';
import { statsDays } from './stats-days.js';

export const statsFeature = feature('stats', {
  queries: [stats, statsDays, health, live, limits],
  providers: [HealthReport, StatusHistory],
});
