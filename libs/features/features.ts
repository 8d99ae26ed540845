import { publicEvents } from '#libs/features/public-events/public-events.feature.js';
import { clientsFeature } from '#libs/features/clients/clients.feature.js';
import { crews } from '#libs/features/crews/crews.feature.js';
import { delegation } from '#libs/features/delegation/delegation.feature.js';
import { deliveries } from '#libs/features/deliveries/deliveries.feature.js';
import { description } from '#libs/features/description/description.feature.js';
import { eventsFeed } from '#libs/features/events-feed/events-feed.feature.js';
import { feedFeature } from '#libs/features/feed/feed.feature.js';
import { finding } from '#libs/features/finding/finding.feature.js';
import { forget } from '#libs/features/forget/forget.feature.js';
import { hires } from '#libs/features/hires/hires.feature.js';
import { identity } from '#libs/features/identity/identity.feature.js';
import { linking } from '#libs/features/linking/linking.feature.js';
import { onboarding } from '#libs/features/onboarding/onboarding.feature.js';
import { inbox } from '#libs/features/inbox/inbox.feature.js';
import { instantFeature } from '#libs/features/instant/instant.feature.js';
import { jobs } from '#libs/features/jobs/jobs.feature.js';
import { messages } from '#libs/features/messages/messages.feature.js';
import { moderation } from '#libs/features/moderation/moderation.feature.js';
import { network } from '#libs/features/network/network.feature.js';
import { operators } from '#libs/features/operators/operators.feature.js';
import { paymentsFeature } from '#libs/features/payments/payments.feature.js';
import { picturesFeature } from '#libs/features/pictures/pictures.feature.js';
import { profile } from '#libs/features/profile/profile.feature.js';
import { projectsFeature } from '#libs/features/projects/projects.feature.js';
import { records } from '#libs/features/records/records.feature.js';
import { sitemapFeature } from '#libs/features/sitemap/sitemap.feature.js';
import { statsFeature } from '#libs/features/stats/stats.feature.js';
import { texts } from '#libs/features/texts/texts.feature.js';
import { verification } from '#libs/features/verification/verification.feature.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { webhooks } from '#libs/features/webhooks/webhooks.feature.js';

/** A feature imports only earlier ones. `docs/architecture.md` says what each of them is about. */
export const FEATURES = [
  identity,
  forget,
  operators,
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
