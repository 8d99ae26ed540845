import { Tokens } from '#libs/http/authentication/tokens.projection.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Applications } from './applications.js';
import { Founding } from './founding.js';
import { ClearedValues } from './cleared-values.js';
import { Gigs } from './gigs.js';
import { Hires } from './hires.js';
import { Items } from './items.js';
import { Muses } from './muses.js';
import { PaymentsView } from './payments.js';
import { Posters } from './posters.js';
import { ProvenSkills } from './proven-skills.js';
import { Roles } from './roles.js';
import { Stats } from './stats.js';
import { Tree } from './tree.js';

/** Every projection of the service. */
export const PROJECTIONS: readonly Projection[] = [
  Tokens,
  Muses,
  ClearedValues,
  Roles,
  Applications,
  Hires,
  Items,
  Gigs,
  ProvenSkills,
  Founding,
  Posters,
  PaymentsView,
  Stats,
  Tree,
].map(projection => projection as unknown as Projection);
