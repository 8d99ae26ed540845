import { deliveries } from './deliveries/deliveries.feature.js';
import { description } from './description/description.feature.js';
import { eventsFeed } from './events-feed/events-feed.feature.js';
import { feedFeature } from './feed/feed.feature.js';
import { hires } from './hires/hires.feature.js';
import { identity } from './identity/identity.feature.js';
import { inbox } from './inbox/inbox.feature.js';
import { jobs } from './jobs/jobs.feature.js';
import { messages } from './messages/messages.feature.js';
import { network } from './network/network.feature.js';
import { paymentsFeature } from './payments/payments.feature.js';
import { profile } from './profile/profile.feature.js';
import { promotion } from './promotion/promotion.feature.js';
import { records } from './records/records.feature.js';
import { statsFeature } from './stats/stats.feature.js';
import { verification } from './verification/verification.feature.js';

/** Every feature of the service. */
export const FEATURES = [
  identity,
  profile,
  jobs,
  deliveries,
  hires,
  network,
  messages,
  inbox,
  records,
  verification,
  feedFeature,
  promotion,
  paymentsFeature,
  statsFeature,
  eventsFeed,
  description,
] as const;
