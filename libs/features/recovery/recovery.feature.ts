import { feature } from '#libs/endpoints/feature.js';
import { allowRecovery } from './allow-recovery.js';
import { recover } from './recover.js';
import { bindRecoveredKey, RecoveryClock } from './recovery-clock.js';
import { recovery } from './recovery.js';

export const recoveryFeature = feature('recovery', {
  commands: [recovery, recover],
  decisions: [bindRecoveredKey, allowRecovery],
  providers: [RecoveryClock],
});
