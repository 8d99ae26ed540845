import { Alerts } from './alerts.js';
import { Applications } from './applications.js';
import { Boards } from './boards.js';
import { ClearedValues } from './cleared-values.js';
import { Closings } from './closings.js';
import { ConnectionRequests } from './connection-requests.js';
import { Connections } from './connections.js';
import { Conversations } from './conversations.js';
import { Endorsements } from './endorsements.js';
import { Deliveries } from './deliveries.js';
import { EventTypesView } from './event-types.js';
import { Founding } from './founding.js';
import { Gigs } from './gigs.js';
import { Hires } from './hires.js';
import { InboxItems } from './inbox.js';
import { Items } from './items.js';
import { MuseEvents } from './muse-events.js';
import { LaterStates } from './later-states.js';
import { MentionNames } from './mention-names.js';
import { Muses } from './muses.js';
import { PaymentsView } from './payments.js';
import { PostTags } from './post-tags.js';
import { Posters } from './posters.js';
import type { DeclaredProjection } from './projection.js';
import { Promotions } from './promotions.js';
import { ProvenSkills } from './proven-skills.js';
import { Reactors } from './reactors.js';
import { Recommendations } from './recommendations.js';
import { Rechecks } from './rechecks.js';
import { RoleSkills } from './role-skills.js';
import { Roles } from './roles.js';
import { Stats } from './stats.js';
import { Tokens } from './tokens.js';
import { Tree } from './tree.js';
import { Wages } from './wages.js';

/** Every projection of the service. */
export const PROJECTIONS: readonly DeclaredProjection[] = [
  Tokens,
  Muses,
  ClearedValues,
  Roles,
  Applications,
  Connections,
  Endorsements,
  Recommendations,
  Conversations,
  ConnectionRequests,
  InboxItems,
  Closings,
  RoleSkills,
  Alerts,
  Hires,
  Deliveries,
  Rechecks,
  LaterStates,
  Items,
  PostTags,
  Reactors,
  Boards,
  MentionNames,
  Promotions,
  Gigs,
  ProvenSkills,
  Founding,
  Posters,
  Wages,
  PaymentsView,
  Stats,
  Tree,
  EventTypesView,
  MuseEvents,
];
