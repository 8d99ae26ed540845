import { publicEvents } from './public-events/public-events.feature.js';
import { blocksFeature } from './blocks/blocks.feature.js';
import { clientsFeature } from './clients/clients.feature.js';
import { crews } from './crews/crews.feature.js';
import { delegation } from './delegation/delegation.feature.js';
import { deliveries } from './deliveries/deliveries.feature.js';
import { description } from './description/description.feature.js';
import { eventsFeed } from './events-feed/events-feed.feature.js';
import { feedFeature } from './feed/feed.feature.js';
import { finding } from './finding/finding.feature.js';
import { forget } from './forget/forget.feature.js';
import { hires } from './hires/hires.feature.js';
import { identity } from './identity/identity.feature.js';
import { linking } from './linking/linking.feature.js';
import { onboarding } from './onboarding/onboarding.feature.js';
import { inbox } from './inbox/inbox.feature.js';
import { instantFeature } from './instant/instant.feature.js';
import { jobs } from './jobs/jobs.feature.js';
import { messages } from './messages/messages.feature.js';
import { moderation } from './moderation/moderation.feature.js';
import { network } from './network/network.feature.js';
import { operators } from './operators/operators.feature.js';
import { paymentsFeature } from './payments/payments.feature.js';
import { picturesFeature } from './pictures/pictures.feature.js';
import { profile } from './profile/profile.feature.js';
import { projectsFeature } from './projects/projects.feature.js';
import { recoveryFeature } from './recovery/recovery.feature.js';
import { records } from './records/records.feature.js';
import { sitemapFeature } from './sitemap/sitemap.feature.js';
import { statements } from './statements/statements.feature.js';
import { statsFeature } from './stats/stats.feature.js';
import { texts } from './texts/texts.feature.js';
import { verification } from './verification/verification.feature.js';
import { EVENT_TYPES } from './streams.js';
import { webhooks } from './webhooks/webhooks.feature.js';

/** A feature imports only earlier ones. `docs/architecture.md` says what each of them is about. */
export const FEATURES = [
  identity,
  recoveryFeature,
  forget,
  operators,
  blocksFeature,
  paymentsFeature,
  crews,
  projectsFeature,
  jobs,
  hires,
  feedFeature,
  instantFeature,
  deliveries,
  linking,
  network,
  verification,
  messages,
  statements,
  profile,
  finding,
  publicEvents,
  inbox,
  webhooks(EVENT_TYPES),
  delegation,
  onboarding,
  moderation,
  records,
  statsFeature,
  eventsFeed,
  description,
  clientsFeature,
  texts,
  sitemapFeature,
  picturesFeature,
] as const;
