import { askOwner } from './ask-owner.js';
import { feature } from '#libs/endpoints/feature.js';
import { moveClock } from '#libs/endpoints/move-clock.js';
import { followSiblingKey, followSiblingName, importSibling } from '#libs/siblings/sibling-facts.js';
import { HouseMuse, openHouse } from './house-muse.js';
import { identity as identityCommand } from './identity.js';
import { join } from './join.js';
import { key } from './key.js';
import { keys } from './keys.js';

import { referralStatus } from './referral-status.js';
import { register } from './register.js';
import { setOrigin } from './set-origin.js';
import { token } from './token.js';
import { updateProfile } from './update-profile.js';
import { countViews, ViewCounter } from './view-counter.js';

export const identity = feature('identity', {
  commands: [register, identityCommand, join, token, key, updateProfile],
  queries: [keys, referralStatus],
  decisions: [
    askOwner,
    setOrigin,
    moveClock,
    openHouse,
    importSibling,
    followSiblingKey,
    followSiblingName,
    countViews,
  ],
  providers: [HouseMuse, ViewCounter],
});
