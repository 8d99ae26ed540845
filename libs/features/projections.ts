import { IDENTITY_NOTIFICATIONS } from './identity/views/notifications.js';
import { NETWORK_NOTIFICATIONS } from './network/views/notifications.js';
import { JOB_NOTIFICATIONS } from './jobs/views/notifications.js';
import { HIRE_NOTIFICATIONS } from './hires/views/notifications.js';
import { FEED_NOTIFICATIONS } from './feed/views/notifications.js';
import { PROJECT_NOTIFICATIONS } from './projects/views/notifications.js';
import { MESSAGE_NOTIFICATIONS } from './messages/views/notifications.js';
import { REPORT_NOTIFICATIONS } from './moderation/views/notifications.js';
import { WEBHOOK_NOTIFICATIONS } from './webhooks/views/notifications.js';
import { APPLICATION_INBOX_STEPS } from './inbox/views/extensions.js';
import { MUSE_CREW_STEPS } from './crews/views/extensions.js';
import { MUSE_POST_STEPS } from './feed/views/extensions.js';
import {
  APPLICATION_HIRE_STEPS,
  MUSE_HIRE_STEPS,
  PERSON_HIRE_STEPS,
  PROJECT_HIRE_STEPS,
  ROLE_WORDS_HIRE_STEPS,
} from './hires/views/extensions.js';
import { MUSE_JOB_STEPS, PROJECT_JOB_STEPS } from './jobs/views/extensions.js';
import { MUSE_NETWORK_STEPS, PERSON_NETWORK_STEPS } from './network/views/extensions.js';
import { MUSE_PROJECT_STEPS } from './projects/views/extensions.js';
import { Alerts } from './identity/views/alerts.js';
import { Applications } from './jobs/views/applications.js';
import { Boards } from './feed/views/boards.js';
import { ClearedValues } from './public-events/views/cleared-values.js';
import { Closings } from './jobs/views/closings.js';
import { ConnectionRequests } from './network/views/connection-requests.js';
import { Connections } from './network/views/connections.js';
import { Conversations } from './messages/views/conversations.js';
import { CrewMembers } from './crews/views/crew-members.js';
import { Crews } from './crews/views/crews.js';
import { EndorsementCounts } from './network/views/endorsement-counts.js';
import { Endorsements } from './network/views/endorsements.js';
import { DailyApplications } from './jobs/views/daily-applications.js';
import { DailyWages } from './hires/views/daily-wages.js';
import { Days } from './stats/views/days.js';
import { Deliveries } from './hires/views/deliveries.js';
import { EventTypesView } from '#libs/views/event-types.js';
import { Founding } from './identity/views/founding.js';
import { Gigs } from './hires/views/gigs.js';
import { Hires } from './hires/views/hires.js';
import { InboxItems } from './inbox/views/inbox.js';
import { InstantAnswers } from './instant/views/instant-answers.js';
import { Items } from './feed/views/items.js';
import { MuseEvents } from './events-feed/views/muse-events.js';
import { LaterStates } from './hires/views/later-states.js';
import { Links } from './identity/views/links.js';
import { MentionNames } from './identity/views/mention-names.js';
import { MuseWords } from './identity/views/muse-words.js';
import { MuseKeys } from './identity/views/muse-keys.js';
import { Muses } from './identity/views/muses.js';
import { PayTerms } from './hires/views/pay-terms.js';
import { PayPausesOfMuses } from './identity/views/pay-pauses.js';
import { Deadlines } from './hires/views/deadlines.js';
import { OpenEscrows } from './hires/views/open-escrows.js';
import { Offers } from './delegation/views/offers.js';
import { People } from './identity/views/people.js';
import { PaymentsView } from './payments/views/payments.js';
import { PostWords } from './feed/views/post-words.js';
import { PostTags } from './feed/views/post-tags.js';
import { Posters } from './hires/views/posters.js';
import { ProfileViews } from './identity/views/profile-views.js';
import { extendProjection, withPinnedShapes } from '#libs/views/projection.js';
import { ProjectContributions } from './profile/views/project-contributions.js';
import { ProjectHistory } from './profile/views/project-history.js';
import { ProjectMembers } from './projects/views/project-members.js';
import { ProjectTexts } from './projects/views/project-texts.js';
import { Projects } from './projects/views/projects.js';
import { Promotions } from './feed/views/promotions.js';
import { ProvenSkills } from './hires/views/proven-skills.js';
import { Reactors } from './feed/views/reactors.js';
import { Recoveries } from './identity/views/recoveries.js';
import { Recommendations } from './network/views/recommendations.js';
import { StatementLines } from './statements/views/statement-lines.js';
import { Replies } from './messages/views/replies.js';
import { Rechecks } from './hires/views/rechecks.js';
import { Reports } from './moderation/views/reports.js';
import { RoleSkills } from './jobs/views/role-skills.js';
import { RoleTerms } from './jobs/views/role-terms.js';
import { RoleWords } from './jobs/views/role-words.js';
import { Roles } from './jobs/views/roles.js';
import { Silences } from './blocks/views/silences.js';
import { Stats } from './stats/views/stats.js';
import { Tokens } from '#libs/views/tokens.js';
import { MerkleTree } from '#libs/views/tree.js';
import { WebhooksView } from './webhooks/views/webhooks.js';
import { Wages } from './hires/views/wages.js';

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
  REPORT_NOTIFICATIONS,
  WEBHOOK_NOTIFICATIONS,
);
const ROLE_WORDS = extendProjection(RoleWords, ROLE_WORDS_HIRE_STEPS);
const PEOPLE = extendProjection(People, PERSON_HIRE_STEPS, PERSON_NETWORK_STEPS);

const BY_SUBJECT = [
  [
    Tokens,
    MUSES,
    MuseKeys,
    PayPausesOfMuses,
    Recoveries,
    ClearedValues,
    PEOPLE,
    MuseWords,
    MentionNames,
    ProfileViews,
    ProvenSkills,
  ],
  [Roles, RoleTerms, RoleSkills, ROLE_WORDS, APPLICATIONS, DailyApplications, Closings, Posters, Promotions],
  [Offers, Hires, LaterStates, Deliveries, Rechecks, InstantAnswers, Gigs],
  [Wages, DailyWages, OpenEscrows, Deadlines, PayTerms, PaymentsView],
  [Items, PostTags, PostWords, Boards, Reactors, Days],
  [Connections, ConnectionRequests, Endorsements, EndorsementCounts, Recommendations, Conversations, Replies],
  [StatementLines],
  [INBOX, Alerts, Links, Silences, Reports, WebhooksView],
  [PROJECTS, ProjectTexts, ProjectMembers, ProjectHistory, ProjectContributions, Crews, CrewMembers],
  [MuseEvents, EventTypesView, Stats, MerkleTree, Founding],
];

export const PROJECTIONS = withPinnedShapes(BY_SUBJECT.flat());
