import { IDENTITY_NOTIFICATIONS } from '#libs/features/identity/views/notifications.js';
import { NETWORK_NOTIFICATIONS } from '#libs/features/network/views/notifications.js';
import { JOB_NOTIFICATIONS } from '#libs/features/jobs/views/notifications.js';
import { HIRE_NOTIFICATIONS } from '#libs/features/hires/views/notifications.js';
import { FEED_NOTIFICATIONS } from '#libs/features/feed/views/notifications.js';
import { PROJECT_NOTIFICATIONS } from '#libs/features/projects/views/notifications.js';
import { MESSAGE_NOTIFICATIONS } from '#libs/features/messages/views/notifications.js';
import { WEBHOOK_NOTIFICATIONS } from '#libs/features/webhooks/views/notifications.js';
import { APPLICATION_INBOX_STEPS } from '#libs/features/inbox/views/extensions.js';
import { MUSE_CREW_STEPS } from '#libs/features/crews/views/extensions.js';
import { MUSE_POST_STEPS } from '#libs/features/feed/views/extensions.js';
import {
  APPLICATION_HIRE_STEPS,
  MUSE_HIRE_STEPS,
  PERSON_HIRE_STEPS,
  PROJECT_HIRE_STEPS,
} from '#libs/features/hires/views/extensions.js';
import { MUSE_JOB_STEPS, PROJECT_JOB_STEPS } from '#libs/features/jobs/views/extensions.js';
import { MUSE_NETWORK_STEPS, PERSON_NETWORK_STEPS } from '#libs/features/network/views/extensions.js';
import { MUSE_PROJECT_STEPS } from '#libs/features/projects/views/extensions.js';
import { Alerts } from '#libs/features/identity/views/alerts.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Boards } from '#libs/features/feed/views/boards.js';
import { ClearedValues } from '#libs/features/public-events/views/cleared-values.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import { ConnectionRequests } from '#libs/features/network/views/connection-requests.js';
import { Connections } from '#libs/features/network/views/connections.js';
import { Conversations } from '#libs/features/messages/views/conversations.js';
import { CrewMembers } from '#libs/features/crews/views/crew-members.js';
import { Crews } from '#libs/features/crews/views/crews.js';
import { EndorsementCounts } from '#libs/features/network/views/endorsement-counts.js';
import { Endorsements } from '#libs/features/network/views/endorsements.js';
import { DailyApplications } from '#libs/features/jobs/views/daily-applications.js';
import { DailyWages } from '#libs/features/hires/views/daily-wages.js';
import { Days } from '#libs/features/stats/views/days.js';
import { Deliveries } from '#libs/features/hires/views/deliveries.js';
import { EventTypesView } from '#libs/views/event-types.js';
import { Founding } from '#libs/features/identity/views/founding.js';
import { Gigs } from '#libs/features/hires/views/gigs.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { InboxItems } from '#libs/features/inbox/views/inbox.js';
import { InstantAnswers } from '#libs/features/instant/views/instant-answers.js';
import { Items } from '#libs/features/feed/views/items.js';
import { MuseEvents } from '#libs/features/events-feed/views/muse-events.js';
import { LaterStates } from '#libs/features/hires/views/later-states.js';
import { Links } from '#libs/features/identity/views/links.js';
import { MentionNames } from '#libs/features/identity/views/mention-names.js';
import { MuseWords } from '#libs/features/identity/views/muse-words.js';
import { MuseKeys } from '#libs/features/identity/views/muse-keys.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { Offers } from '#libs/features/delegation/views/offers.js';
import { People } from '#libs/features/identity/views/people.js';
import { PaymentsView } from '#libs/features/payments/views/payments.js';
import { PostWords } from '#libs/features/feed/views/post-words.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';
import { Posters } from '#libs/features/hires/views/posters.js';
import { ProfileViews } from '#libs/features/identity/views/profile-views.js';
import { type DeclaredProjection, extendProjection } from '#libs/views/projection.js';
import { ProjectContributions } from '#libs/features/profile/views/project-contributions.js';
import { ProjectHistory } from '#libs/features/profile/views/project-history.js';
import { ProjectMembers } from '#libs/features/projects/views/project-members.js';
import { ProjectTexts } from '#libs/features/projects/views/project-texts.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { Promotions } from '#libs/features/feed/views/promotions.js';
import { ProvenSkills } from '#libs/features/hires/views/proven-skills.js';
import { Reactors } from '#libs/features/feed/views/reactors.js';
import { Recommendations } from '#libs/features/network/views/recommendations.js';
import { Replies } from '#libs/features/messages/views/replies.js';
import { Rechecks } from '#libs/features/hires/views/rechecks.js';
import { RoleSkills } from '#libs/features/jobs/views/role-skills.js';
import { RoleWords } from '#libs/features/jobs/views/role-words.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { Stats } from '#libs/features/stats/views/stats.js';
import { Tokens } from '#libs/views/tokens.js';
import { MerkleTree } from '#libs/views/tree.js';
import { WebhooksView } from '#libs/features/webhooks/views/webhooks.js';
import { Wages } from '#libs/features/hires/views/wages.js';

const MUSES = extendProjection(
  Muses,
  MUSE_CREW_STEPS,
  MUSE_PROJECT_STEPS,
  MUSE_JOB_STEPS,
  MUSE_HIRE_STEPS,
  MUSE_POST_STEPS,
  MUSE_NETWORK_STEPS,
);
const APPLICATIONS = extendProjection(Applications, APPLICATION_HIRE_STEPS, APPLICATION_INBOX_STEPS);
const PROJECTS = extendProjection(Projects, PROJECT_JOB_STEPS, PROJECT_HIRE_STEPS);
const INBOX = extendProjection(
  InboxItems,
  IDENTITY_NOTIFICATIONS,
  NETWORK_NOTIFICATIONS,
  JOB_NOTIFICATIONS,
  HIRE_NOTIFICATIONS,
  FEED_NOTIFICATIONS,
  PROJECT_NOTIFICATIONS,
  MESSAGE_NOTIFICATIONS,
  WEBHOOK_NOTIFICATIONS,
);
const PEOPLE = extendProjection(People, PERSON_HIRE_STEPS, PERSON_NETWORK_STEPS);

export const PROJECTIONS: readonly DeclaredProjection[] = [
  Tokens,
  MUSES,
  MuseKeys,
  ClearedValues,
  PEOPLE,
  MuseWords,
  MentionNames,
  ProfileViews,
  ProvenSkills,
  Roles,
  RoleSkills,
  RoleWords,
  APPLICATIONS,
  DailyApplications,
  Closings,
  Posters,
  Promotions,
  Offers,
  Hires,
  LaterStates,
  Deliveries,
  Rechecks,
  InstantAnswers,
  Gigs,
  Wages,
  DailyWages,
  PaymentsView,
  Items,
  PostTags,
  PostWords,
  Boards,
  Reactors,
  Days,
  Connections,
  ConnectionRequests,
  Endorsements,
  EndorsementCounts,
  Recommendations,
  Conversations,
  Replies,
  INBOX,
  Alerts,
  Links,
  WebhooksView,
  PROJECTS,
  ProjectTexts,
  ProjectMembers,
  ProjectHistory,
  ProjectContributions,
  Crews,
  CrewMembers,
  MuseEvents,
  EventTypesView,
  Stats,
  MerkleTree,
  Founding,
];
