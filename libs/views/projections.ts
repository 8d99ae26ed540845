import { Alerts } from './alerts.js';
import { Applications } from './applications.js';
import { Boards } from './boards.js';
import { ClearedValues } from './cleared-values.js';
import { Closings } from './closings.js';
import { ConnectionRequests } from './connection-requests.js';
import { Connections } from './connections.js';
import { Conversations } from './conversations.js';
import { CrewMembers } from './crew-members.js';
import { Crews } from './crews.js';
import { EndorsementCounts } from './endorsement-counts.js';
import { Endorsements } from './endorsements.js';
import { DailyApplications } from './daily-applications.js';
import { DailyWages } from './daily-wages.js';
import { Days } from './days.js';
import { Deliveries } from './deliveries.js';
import { EventTypesView } from './event-types.js';
import { Founding } from './founding.js';
import { Gigs } from './gigs.js';
import { Hires } from './hires.js';
import { InboxItems } from './inbox.js';
import { InstantAnswers } from './instant-answers.js';
import { Items } from './items.js';
import { MuseEvents } from './muse-events.js';
import { LaterStates } from './later-states.js';
import { MentionNames } from './mention-names.js';
import { MuseWords } from './muse-words.js';
import { MuseKeys } from './muse-keys.js';
import { Muses } from './muses.js';
import { Offers } from './offers.js';
import { People } from './people.js';
import { PaymentsView } from './payments.js';
import { PostWords } from './post-words.js';
import { PostTags } from './post-tags.js';
import { Posters } from './posters.js';
import { ProfileViews } from './profile-views.js';
import type { DeclaredProjection } from './projection.js';
import { ProjectContributions } from './project-contributions.js';
import { ProjectHistory } from './project-history.js';
import { ProjectMembers } from './project-members.js';
import { ProjectTexts } from './project-texts.js';
import { Projects } from './projects.js';
import { Promotions } from './promotions.js';
import { ProvenSkills } from './proven-skills.js';
import { Reactors } from './reactors.js';
import { Recommendations } from './recommendations.js';
import { Replies } from './replies.js';
import { Rechecks } from './rechecks.js';
import { RoleSkills } from './role-skills.js';
import { RoleWords } from './role-words.js';
import { Roles } from './roles.js';
import { Stats } from './stats.js';
import { Tokens } from './tokens.js';
import { Tree } from './tree.js';
import { WebhooksView } from './webhooks.js';
import { Wages } from './wages.js';

/**
 * Every projection of the service, in groups: what is read together moves together where several processes share the
 * projections. Those that write one document for everything that happens stand alone.
 */
export const PROJECTION_GROUPS: readonly (readonly DeclaredProjection[])[] = [
  [Tokens, Muses, MuseKeys, ClearedValues, People, MuseWords, MentionNames, ProfileViews, ProvenSkills],
  [Roles, RoleSkills, RoleWords, Applications, DailyApplications, Closings, Posters, Promotions],
  [Offers, Hires, LaterStates, Deliveries, Rechecks, InstantAnswers, Gigs],
  [Wages, DailyWages, PaymentsView],
  [Items, PostTags, PostWords, Boards, Reactors, Days],
  [Connections, ConnectionRequests, Endorsements, EndorsementCounts, Recommendations, Conversations, Replies],
  [InboxItems, Alerts, WebhooksView],
  [Projects, ProjectTexts, ProjectMembers, ProjectHistory, ProjectContributions, Crews, CrewMembers],
  [MuseEvents, EventTypesView],
  [Stats],
  [Tree],
  [Founding],
];

export const PROJECTIONS: readonly DeclaredProjection[] = PROJECTION_GROUPS.flat();
